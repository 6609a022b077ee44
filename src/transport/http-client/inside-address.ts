/** Tells addresses that lead nowhere but to this machine or its own network, by what a URL says: names are not looked up. */

import { BlockList, isIP } from "node:net";

const inside = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // also where clouds hand out credentials
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  inside.addSubnet(network, prefix, "ipv4"); // and its IPv4-mapped IPv6 addresses
inside.addSubnet("::", 127, "ipv6");
inside.addSubnet("fc00::", 7, "ipv6");
inside.addSubnet("fe80::", 10, "ipv6");

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry */
export function isInsideAddress({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  const version = isIP(host);
  if (version === 0) return host === "localhost" || host.endsWith(".localhost");
  return inside.check(host, version === 4 ? "ipv4" : "ipv6");
}
