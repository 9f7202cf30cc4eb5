# Flows of one congestion control of Linux at 100 Mbit/s, with windows of 8 MiB. Read by one-cubic.tcl and
# two-reno.tcl, which say how many `flows` of which `control` there are, and with which `round_trip` and
# `room` in packets. Prints what three-reno.tcl prints, below what ns says of itself.

# What a loss leaves of CUBIC's window is 70 % today; in 1024ths.
set seconds [lindex $argv 0]
set argv [list 100Mb $round_trip $room 5592 $seconds 717]
for {set i 0} {$i < $flows} {incr i} { lappend argv {[start]} $control }

proc start {} {
    global random
    if {![info exists random]} {
        set random [new RandomVariable/Uniform]
        $random set min_ 0
        $random set max_ 0.5
    }
    return [$random value]
}

proc report {flows seconds} {
    foreach sum {all squares sent resent timeouts} { set $sum 0.0 }
    foreach agent $flows {
        set arrived [expr [$agent set ack_] + 1]
        set all [expr $all + $arrived]
        set squares [expr $squares + $arrived * $arrived]
        set sent [expr $sent + [$agent set ndatapack_]]
        set resent [expr $resent + [$agent set nrexmitpack_]]
        set timeouts [expr $timeouts + [$agent set nrexmit_]]
    }
    puts [expr $all * 1460 * 8 / $seconds / 1e6]
    puts [expr $all * $all / $squares / [llength $flows]]
    puts [expr $resent / $sent]
    puts $timeouts
}

source [file join [file dirname [info script]] linux.tcl]
