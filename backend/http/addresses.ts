// Whom an address on the network stands for, when calls are counted. Knows no rule.
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Count, Rule } from './rate-limits.ts'

const GROUPS = 8
const NETWORK_GROUPS = 4
const MAPPED = '0:0:0:0:0:ffff'

/**
 * The key under which an address is counted: an IPv6 address as its /64 network, of which one
 * household has all addresses; an IPv4 address as it is, also where a socket shows it in the form
 * of IPv6.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const groups = readGroups(address)
  if (groups.slice(0, 6).join(':') !== MAPPED)
    return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.')
}

/** Counts each call for the network that it comes from. */
export function countPerAddress(name: string, rule: Rule): (request: FastifyRequest) => Count[] {
  return ({ ip }) => [{ name, rule, key: networkOf(ip) }]
}

/** Counts each call for the person who makes it; a guest's for the network. */
export function countPerPerson(name: string, rule: Rule): (request: FastifyRequest) => Count[] {
  return ({ viewer, ip }) => [
    { name, rule, key: viewer.role === 'user' ? viewer.userId : networkOf(ip) },
  ]
}

/**
 * @param address in any spelling, perhaps with the zone of a link.
 * @returns its eight groups, in hex without leading zeros
 */
function readGroups(address: string): string[] {
  const [bare] = address.split('%')
  // Spells every address in one way, a dotted end included.
  const { hostname } = new URL(`http://[${bare}]`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  return [...before, ...Array<string>(GROUPS - before.length - after.length).fill('0'), ...after]
}
