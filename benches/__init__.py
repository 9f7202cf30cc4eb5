"""What is counted, profiled and drawn of the speed of a run."""
