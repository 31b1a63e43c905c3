// Parts of the hosted API that this server does not have. Their addresses are unknown here like any
// other; the answer says in words that nothing is wrong with the call.

/** Below `/v1`; `*` stands for one part of a path. What begins like one of them is meant, too. */
const NOT_OFFERED: readonly (readonly [path: string, what: string])[] = [
  ['/account/sessions/anonymous', 'Anonymous sign-in'],
  ['/account/sessions/phone', 'Sign-in by phone'],
  ['/account/tokens/phone', 'Sign-in by phone'],
  ['/account/verification/phone', 'Verification of phones'],
  ['/account/verifications/phone', 'Verification of phones'],
  ['/account/phone', 'A phone number'],
  ['/account/mfa', 'A second factor'],
  ['/account/targets', 'Push notifications'],
  ['/users/*/mfa', 'A second factor'],
  ['/users/*/memberships', 'Teams'],
  ['/users/*/targets', 'Push notifications'],
  ['/users/*/phone', 'A phone number'],
  ['/users/*/verification/phone', 'Verification of phones'],
  ['/users/*/impersonator', 'Acting as somebody else'],
  ['/users/md5', 'An import of md5 hashes'],
  ['/users/sha', 'An import of sha hashes'],
  ['/users/phpass', 'An import of phpass hashes'],
  ['/users/scrypt-modified', 'An import of modified scrypt hashes'],
  ['/users/usage', 'Usage numbers'],
  ['/teams', 'Teams'],
  ['/functions', 'Functions'],
  ['/sites', 'Hosting of sites'],
  ['/messaging', 'Messaging'],
  ['/graphql', 'GraphQL'],
  ['/tokens', 'Tokens of files'],
  ['/projects', 'The console'],
  ['/console', 'The console'],
  ['/vcs', 'The console'],
  ['/proxy', 'The console'],
  ['/migrations', 'The console'],
  ['/avatars/favicon', 'Fetching images of other sites'],
  ['/avatars/image', 'Fetching images of other sites'],
  ['/avatars/screenshots', 'Fetching images of other sites'],
]

const PATTERNS = NOT_OFFERED.map(([path, what]) => ({
  what,
  pattern: new RegExp(`^/+v1${path.replaceAll('*', '[^/]+')}(?:[/?]|$)`),
}))

/** @returns what to say about an unknown address; undefined when it is no part of the hosted API */
export function sayNotOffered(url: string): string | undefined {
  const found = PATTERNS.find(({ pattern }) => pattern.test(url))
  return found && `${found.what}: not offered by this server.`
}
