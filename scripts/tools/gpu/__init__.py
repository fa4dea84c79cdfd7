"""What a graphics card gives: agreement, speed and memory, beside the CPU."""
