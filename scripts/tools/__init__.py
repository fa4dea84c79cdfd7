"""What sets up, builds, releases and checks the program; it makes and measures no model."""
