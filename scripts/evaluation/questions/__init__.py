"""What the commands beside predict answer, where the truth is known or beside rivals."""
