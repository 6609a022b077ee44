/** Reads the value of `Host`, and knows the names of this machine. */

export interface HostName {
  /** In lower case, without a trailing dot; an IPv6 address without its brackets. */
  readonly name: string;
  readonly port: string | undefined;
  /** Whether it is an address written in numbers, which no DNS server can give away. */
  readonly isAddress: boolean;
}

/**
 * Gives the parts of a host, or `undefined` for what is none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-host-and-authority
 */
export function parseHost(text: string): HostName | undefined {
  if (text.length > 300) return undefined;
  const [, v6, name, port] = pattern.exec(text) ?? [];
  if (port !== undefined && Number(port) > 65_535) return undefined;
  if (v6 !== undefined) {
    const url = URL.parse(`http://[${v6}]/`);
    if (url === null) return undefined;
    return { name: url.hostname.slice(1, -1), port, isAddress: true };
  }
  if (name === undefined) return undefined;
  return { name: name.toLowerCase(), port, isAddress: isV4(name) };
}

/** Is true for the names and addresses that mean this machine; an IPv6 address with or without its brackets. */
export function isLoopback(name: string): boolean {
  const bare = name.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (bare === "localhost" || bare.endsWith(".localhost") || bare === "::1") return true;
  return isV4(bare) && bare.startsWith("127.");
}

function isV4(name: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(name);
}

/** An IPv6 address in brackets or a name, one trailing dot, a port. */
const pattern =
  /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*)\.?)(?::(\d{1,5}))?$/i;
