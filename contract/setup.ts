// Setting up a blog that has no operator yet (api.md §15.19).
import Type, { type Static } from 'typebox'
import { NAME_MAX_CHARS } from './limits.ts'
import {
  ABOUT_MAX_CHARS,
  type SetupState,
  SITE_NAME_MAX_CHARS,
  type SiteValueName,
  type SiteValues,
} from './site-settings.ts'

/**
 * The code has these signs, in groups of four: none that looks like another one. It is too long to
 * be guessed at any speed, so that wrong codes need not lock out the right one.
 */
export const SETUP_CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const SETUP_CODE_CHARS = 12

/** The form in which a code is compared: spaces, dashes and small letters do not matter. */
export function normaliseSetupCode(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '')
}

const line = (maxChars: number) =>
  Type.String({
    maxLength: maxChars,
    description: `Value must be a valid string and no longer than ${maxChars} chars`,
  })

export const NewSetup = Type.Object({
  /** Empty leaves it as it is, and so does an empty `about`. */
  siteName: line(SITE_NAME_MAX_CHARS),
  about: Type.Optional(line(ABOUT_MAX_CHARS)),
  reading: Type.String({ description: 'Value must be a valid string' }),
  /** Without a name it is an account that exists. */
  name: Type.Optional(line(NAME_MAX_CHARS)),
  email: Type.String({ description: 'Value must be a valid string' }),
  password: Type.String({ description: 'Value must be a valid string' }),
  /** Needed where the state is `code`, unless the API key calls. */
  code: Type.Optional(line(64)),
})
export type NewSetup = Static<typeof NewSetup>

/** How the blog may be set up by who asks, and what stands there. */
export type Setup = {
  state: SetupState
  siteName: SiteValues['siteName']
  about: SiteValues['about']
  reading: SiteValues['reading']
  /** Values that are set on the server: they cannot be changed in the browser. */
  fixed: SiteValueName[]
}

const word = Type.Optional(Type.String({ description: 'Value must be a valid string' }))
/** What is not sent stays as it is. */
export const SiteChanges = Type.Object({
  siteName: word,
  about: word,
  reading: word,
  registration: word,
  newRole: word,
  comments: word,
  approveFirst: word,
  accent: word,
})
