import { expect, test } from 'vitest'
import { pageAddress } from './page-address.ts'

test.each([
  ['/post/lamp1', '/post/lamp1'],
  ['/post/lamp1?utm_source=x', '/post/lamp1'],
  ['/POST/%6camp1/', '/post/lamp1'],
  ['/post/%zz', '/post/%zz'],
  ['/post/lamp1/a-lamp?x=1', '/post/lamp1/a-lamp'],
  ['/post/lamp1/%e1%BA%9f-%6camp', '/post/lamp1/%E1%BA%9F-lamp'],
  ['/post/lamp1/a-lamp/', '/post/lamp1/a-lamp/'],
  ['/post/lamp1/a%2Fb', '/post/lamp1/a%2Fb'],
  ['/post/lamp1/%zz', '/post/lamp1/%25zz'],
  ['/post/lamp1/a/b?x=1', '/post/lamp1/a/b?x=1'],
  ['/post?after=lamp1', '/post?after=lamp1'],
  ['/post?x=1&after=lamp1&after=lamp2', '/post?after=lamp1'],
  ['/post?x=1', '/post'],
  ['/post?after=', '/post'],
  ['/POST/?x=1&after=lamp1', '/post?after=lamp1'],
  ['/Author/%6Aane?x=1', '/author/jane'],
  ['/author/jane/?after=lamp1', '/author/jane?after=lamp1'],
  ['/tag/%6cight', '/tag/light'],
  ['/TAG/%e1%BA%9f?x=1', '/tag/%E1%BA%9F'],
  ['/tag/a%2Fb', '/tag/a%2Fb'],
  ['/tag/%2e%2e', '/tag/%2e%2e'],
  ['/tag/light/', '/tag/light/'],
  ['/tag/%zz', '/tag/%25zz'],
  ['/Search/?x=1&page=2&q=a%20lamp', '/search?q=a+lamp&page=2'],
  ['/search?x=1', '/search'],
  ['/login?next=%2Fpost', '/login?next=%2Fpost'],
])('to everybody %s is %s', (url, address) => {
  expect(pageAddress(url, { reading: 'everyone' })).toBe(address)
})

test('where only members read, the way back keeps everything that was asked for', () => {
  const url = '/post?after=lamp1&x=1'
  expect(pageAddress(url, { reading: 'members' })).toBe(url)
  expect(pageAddress('/post/lamp1?x=1', { reading: 'members' })).toBe('/post/lamp1')
})
