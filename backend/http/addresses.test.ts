// Which addresses are counted as one.
import { expect, test } from 'vitest'
import { networkOf } from './addresses.ts'

test.each([
  { address: '203.0.113.7', key: '203.0.113.7' },
  { address: '127.0.0.1', key: '127.0.0.1' },
  { address: '::ffff:203.0.113.7', key: '203.0.113.7' },
  { address: '::FFFF:cb00:7107', key: '203.0.113.7' },
  { address: '0:0:0:0:0:ffff:203.0.113.7', key: '203.0.113.7' },
  { address: '2001:db8:1:2:3:4:5:6', key: '2001:db8:1:2::/64' },
  { address: '2001:0DB8:0001:0002::', key: '2001:db8:1:2::/64' },
  { address: '2001:db8::1', key: '2001:db8:0:0::/64' },
  { address: '2001:db8:0:0:ffff:ffff:ffff:ffff', key: '2001:db8:0:0::/64' },
  { address: '2001:db8:0:1::1', key: '2001:db8:0:1::/64' },
  { address: 'fe80::1%eth0', key: 'fe80:0:0:0::/64' },
  { address: 'fe80::1%br-lan.100', key: 'fe80:0:0:0::/64' },
  { address: '::1', key: '0:0:0:0::/64' },
  { address: '64:ff9b::203.0.113.7', key: '64:ff9b:0:0::/64' },
  { address: '', key: '' },
])('$address counts as $key', ({ address, key }) => {
  expect(networkOf(address)).toBe(key)
})
