// Greedy flows of TCP from hosts with links of their own to one host, as all programs here have them.

#pragma once

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

// User data of a packet of 1500 B with the time stamps of TCP, which ns-3 sends.
constexpr uint32_t kData = 1448;

// Joins each sender to the router by a link of 1 Gbit/s that loses nothing, and computes the routes.
inline void JoinSenders(const ns3::NodeContainer& senders,
                        ns3::Ptr<ns3::Node> router,
                        ns3::Ipv4AddressHelper& address) {
    ns3::PointToPointHelper access;
    access.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
    access.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", ns3::StringValue("100000p"));
    ns3::TrafficControlHelper none;
    for (uint32_t number = 0; number < senders.GetN(); ++number) {
        address.NewNetwork();
        ns3::NetDeviceContainer link = access.Install(senders.Get(number), router);
        address.Assign(link);
        none.Uninstall(link);
    }
    ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();
}

// Starts the flow of this number from one host to the address of another; returns its end there.
inline ns3::Ptr<ns3::PacketSink> StartGreedy(int flow,
                                             ns3::Ptr<ns3::Node> from,
                                             ns3::Ptr<ns3::Node> to,
                                             ns3::Ipv4Address address,
                                             ns3::Time start) {
    uint16_t port = 5000 + flow;
    ns3::PacketSinkHelper sink("ns3::TcpSocketFactory",
                               ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), port));
    ns3::Ptr<ns3::Application> end = sink.Install(to).Get(0);
    ns3::BulkSendHelper bulk("ns3::TcpSocketFactory", ns3::InetSocketAddress(address, port));
    bulk.SetAttribute("MaxBytes", ns3::UintegerValue(0));
    bulk.Install(from).Start(start);
    return ns3::DynamicCast<ns3::PacketSink>(end);
}
