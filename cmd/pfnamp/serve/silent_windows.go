package serve

// silentConnections is how many connections that send nothing the server keeps.
func silentConnections() int { return 4096 }
