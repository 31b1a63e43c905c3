// Parts of the hosted API that this server does not have. Their URLs are unknown like any other;
// the message says that the call itself is correct.

/**
 * Prefixes of paths below `/v1`; `*` is one segment, `s?` an optional letter.
 */
const NOT_OFFERED = {
  'Anonymous sign-in': '/account/sessions/anonymous',
  'Sign-in by phone': '/account/sessions/phone /account/tokens/phone',
  'Sign-in with an ID token': '/account/sessions/id-token',
  'A code instead of a link': '/account/recovery/otp /account/verifications/email/otp',
  'Verification of phones': '/account/verifications?/phone /users/*/verification/phone',
  'A phone number': '/account/phone /users/*/phone',
  'A second factor': '/account/mfa /users/*/mfa',
  'Push notifications': '/account/targets /users/*/targets',
  Teams: '/teams /users/*/memberships',
  'Acting as somebody else': '/users/*/impersonator',
  'An import of password hashes':
    '/users/argon2 /users/bcrypt /users/md5 /users/phpass /users/scrypt /users/scrypt-modified /users/sha',
  'Lists of countries, languages and currencies': '/locale',
  'Usage numbers': '/users/usage',
  Functions: '/functions',
  'Hosting of sites': '/sites',
  Messaging: '/messaging',
  GraphQL: '/graphql',
  'Tokens of files': '/tokens',
  'The console': '/projects /console /vcs /proxy /migrations',
  'Flags, QR codes and icons of browsers and credit cards':
    '/avatars/browsers /avatars/credit-cards /avatars/flags /avatars/qr',
  'Fetching images of other sites': '/avatars/favicon /avatars/image /avatars/screenshots',
}

/** @returns the message for an unknown URL; undefined unless it is part of the hosted API */
export function explainUnsupported(url: string): string | undefined {
  const found = Object.entries(NOT_OFFERED).find(([, paths]) => {
    const any = paths.replaceAll(' ', '|').replaceAll('*', '[^/]+')
    return new RegExp(`^/+v1(?:${any})(?:[/?]|$)`).test(url)
  })
  return found && `${found[0]}: not offered by this server.`
}
