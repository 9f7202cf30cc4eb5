"""An experiment: the points of a scenario, the runs that they need, and the jobs that make them."""
