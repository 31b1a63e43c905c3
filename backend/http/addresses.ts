// Which network an address belongs to, for counting calls. Knows no rule.
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { COUNTED_BODY_BYTES } from '#contract/request-limits.ts'
import type { Count, Rule } from './rate-limits.ts'

/** The /64 of an IPv6 address: its first four groups of sixteen bits. */
const NETWORK_GROUPS = 4

const MAPPED = /^::ffff:\d{1,3}(?:\.\d{1,3}){3}$/

/**
 * The key under which an address is counted: an IPv6 address as its /64 network, because one
 * household has all addresses of it; an IPv4 address unchanged, also when a socket shows it as
 * mapped into IPv6. Anything else is its own key.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  // As sockets show IPv4.
  if (MAPPED.test(address)) return address.slice('::ffff:'.length)
  // Without the zone of a link-local address: the library refuses names like `br-lan.100`.
  const [bare = ''] = address.split('%')
  if (!ipaddr.IPv6.isValid(bare)) return address
  const parsed = ipaddr.IPv6.parse(bare)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** Counts each call for the network that it comes from. */
export function countPerAddress(name: string, rule: Rule): (request: FastifyRequest) => Count[] {
  return ({ ip }) => [{ name, rule, key: networkOf(ip) }]
}

/** Counts each call for the user who makes it; a guest's for the network. */
export function countPerUser(name: string, rule: Rule): (request: FastifyRequest) => Count[] {
  return ({ viewer, ip }) => [
    { name, rule, key: viewer.role === 'user' ? viewer.userId : networkOf(ip) },
  ]
}

/** The same for calls whose cost grows with their body. */
export function countBodyPerUser(name: string, rule: Rule): (request: FastifyRequest) => Count[] {
  const counts = countPerUser(name, rule)
  return (request) => {
    const bytes = Number(request.headers['content-length'] ?? request.bodyChars)
    // One call of the greatest body takes all, never more than there is.
    const amount = Math.min(Math.max(1, Math.ceil(bytes / COUNTED_BODY_BYTES)), rule[0])
    return counts(request).map((count) => ({ ...count, amount }))
  }
}
