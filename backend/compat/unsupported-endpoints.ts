// Parts of the hosted API that this server does not offer (api.md §12.1). The refusal says that
// the call itself is correct.

import { Refusal } from '#contract/errors.ts'

/**
 * Patterns of paths below `/v1`: `*` is a segment of at most 300 characters, as in routes; `s?` is
 * an optional letter; without `$` further segments may follow.
 */
type Paths = readonly string[]

const NOT_OFFERED: Readonly<Record<string, Paths>> = {
  'Anonymous sign-in': ['/account/sessions/anonymous'],
  'Sign-in by phone': ['/account/sessions/phone', '/account/tokens/phone'],
  'Sign-in with an ID token': ['/account/sessions/id-token'],
  'A code instead of a link': ['/account/recovery/otp', '/account/verifications/email/otp'],
  'Verification of phones': ['/account/verifications?/phone', '/users/*/verification/phone'],
  'A phone number': ['/account/phone', '/users/*/phone'],
  'A second factor': ['/account/mfa', '/users/*/mfa'],
  'Push notifications': ['/account/targets', '/users/*/targets'],
  Teams: ['/teams', '/users/*/memberships'],
  'Acting as somebody else': ['/users/*/impersonator'],
  'An import of password hashes': [
    '/users/argon2',
    '/users/bcrypt',
    '/users/md5',
    '/users/phpass',
    '/users/scrypt',
    '/users/scrypt-modified',
    '/users/sha',
  ],
  'Usage numbers': ['/users/usage'],
  'Lists of countries, languages and currencies': ['/locale'],
  Functions: ['/functions'],
  'Hosting of sites': ['/sites'],
  Messaging: ['/messaging'],
  GraphQL: ['/graphql'],
  'Tokens of files': ['/tokens'],
  'The console': ['/projects', '/console', '/vcs', '/proxy', '/migrations'],
  'Flags, QR codes and icons of browsers and credit cards': [
    '/avatars/browsers',
    '/avatars/credit-cards',
    '/avatars/flags',
    '/avatars/qr',
  ],
  'Fetching images of other sites': ['/avatars/favicon', '/avatars/image', '/avatars/screenshots'],
  'Attributes that are declared': [
    '/databases/*/collections/*/attributes',
    '/databases/*/collections/*/columns',
  ],
  'Indexes that are declared': ['/databases/*/collections/*/indexes'],
  'Counting an attribute up or down': [
    '/databases/*/collections/*/documents/*/*/increment',
    '/databases/*/collections/*/documents/*/*/decrement',
  ],
  'An upsert, or a change of many posts': [
    '/databases/*/collections/*/documents$',
    '/databases/*/collections/*/documents/*$',
  ],
  'Databases, collections and buckets': [
    '/databases$',
    '/databases/*$',
    '/databases/*/collections$',
    '/databases/*/collections/*$',
    '/storage/buckets$',
    '/storage/buckets/*$',
  ],
}

/** @returns a refusal for a URL of the hosted API; undefined for every other URL */
export function refuseUnsupported(url: string): Refusal | undefined {
  const [path = ''] = url.split('?')
  const entry = Object.entries(NOT_OFFERED).find(([, paths]) => {
    const any = paths.join('|').replaceAll('*', '[^/]{1,300}')
    return new RegExp(`^/+v1(?:${any})(?:/|$)`).test(path)
  })
  return entry && notOffered(entry[0])
}

export function notOffered(feature: string): Refusal {
  return new Refusal('general_not_implemented', `${feature}: not offered by this server.`)
}
