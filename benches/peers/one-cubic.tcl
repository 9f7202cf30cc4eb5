# One CUBIC of Linux, as in one-cubic.toml. Usage: ns one-cubic.tcl SECONDS.

set flows 1
set control cubic
set round_trip 0.04
set room 333
source [file join [file dirname [info script]] alike.tcl]
