# Two Renos of Linux, as in two-reno.toml. Usage: ns two-reno.tcl SECONDS.

set flows 2
set control reno
set round_trip 0.01
set room 83
source [file join [file dirname [info script]] alike.tcl]
