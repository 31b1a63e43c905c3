import { expect, test } from 'vitest'
import { canonicalPageUrl, findRedirectUrl } from './canonical-page-url.ts'

test.each([
  ['/post/lamp1', '/post/lamp1'],
  ['/post/lamp1?utm_source=x', '/post/lamp1'],
  ['/post/%6camp1', '/post/lamp1'],
  ['/post/%zz', '/post/%zz'],
  ['/post/lamp1/a-lamp?x=1', '/post/lamp1/a-lamp'],
  ['/post/lamp1/%e1%BA%9f-%6camp', '/post/lamp1/%E1%BA%9F-lamp'],
  ['/post/lamp1/a%2Fb', '/post/lamp1/a%2Fb'],
  ['/post/lamp1/%zz', '/post/lamp1/%25zz'],
  ['/post/lamp1/a/b?x=1', '/post/lamp1/a/b?x=1'],
  ['/post/lamp1?x=1&comments=2', '/post/lamp1?comments=2'],
  ['/post/lamp1/a?comments=2&thread=c1', '/post/lamp1/a?thread=c1&comments=2'],
  ['/post/lamp1?comment=c1&comments=2', '/post/lamp1?comment=c1'],
  ['/post/lamp1?comments=1', '/post/lamp1'],
  ['/post/lamp1?comments=02&thread=../c&comment=', '/post/lamp1'],
  ['/post/lamp1?comments=99999999', '/post/lamp1'],
  ['/post?after=lamp1', '/post?after=lamp1'],
  ['/post?x=1&after=lamp1&after=lamp2', '/post?after=lamp1'],
  ['/post?x=1', '/post'],
  ['/post?after=', '/post'],
  ['/author/%6Aane?x=1', '/author/jane'],
  ['/author/jane?after=lamp1', '/author/jane?after=lamp1'],
  ['/tag/%6cight', '/tag/light'],
  ['/tag/%e1%BA%9f?x=1', '/tag/%E1%BA%9F'],
  ['/tag/a%2Fb', '/tag/a%2Fb'],
  ['/tag/%2e%2e', '/tag/%2e%2e'],
  ['/tag/%zz', '/tag/%25zz'],
  ['/search?x=1&page=2&q=a%20lamp', '/search?q=a+lamp&page=2'],
  ['/search?x=1', '/search'],
  ['/login?next=%2Fpost', '/login?next=%2Fpost'],
])('where everybody may read, %s becomes %s', (url, address) => {
  expect(canonicalPageUrl(url, { reading: 'everyone' })).toBe(address)
})

test('where only members read, the URL keeps its query for the return after sign-in', () => {
  const url = '/post?after=lamp1&x=1'
  expect(canonicalPageUrl(url, { reading: 'members' })).toBe(url)
  expect(canonicalPageUrl('/post/lamp1?x=1', { reading: 'members' })).toBe('/post/lamp1')
})

test.each([
  ['/post/', '/post'],
  ['/post//?after=lamp1', '/post?after=lamp1'],
  ['//POST///lamp1/?x=%2F', '/post/lamp1?x=%2F'],
  ['/%70ost', '/post'],
  ['/x/../post/.', '/post'],
  ['/\\post', '/post'],
  ['/author/jane/', '/author/jane'],
  ['/Search/?q=A', '/search?q=A'],
  ['/tag/A/', '/tag/A'],
  ['/posts/', '/posts'],
  ['/VerifyOauth/?a=1', '/verifyOAuth?a=1'],
  ['/dashboard/Deleted/', '/dashboard/deleted'],
  ['/edit-post/Versions/VERSIONS/%63ompare', '/edit-post/Versions/versions/compare'],
  ['//', '/'],
  ['//?x=1', '/?x=1'],
])('%s redirects to %s', (url, canonical) => {
  expect(findRedirectUrl(url)).toBe(canonical)
  expect(findRedirectUrl(canonical)).toBeUndefined()
})

test.each([
  '/',
  '/?x=1',
  '/post',
  '/post/lamp1/a-lamp?x=//',
  '/post/Lamp1',
  '/edit-post/versions/',
  '//evil.example/',
  '/\\evil.example',
  '/%2F%2Fevil.example',
  '//evil.example/post/',
  '/%',
  '///evil.example//post',
  '/v1/',
  '//v1/account/',
  '/V1',
  '/post%2Flamp1',
  '/assets//x',
])('%s redirects to no other site and no other page', (url) => {
  expect(findRedirectUrl(url) ?? '/').toMatch(/^\/(?!\/|\\|v1)(?:edit-post\/versions)?$/)
})
