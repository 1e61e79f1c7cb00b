"""Any octets from a client, whole, one at a time, cut anywhere: fakebridge neither breaks, nor hangs, nor grows."""
