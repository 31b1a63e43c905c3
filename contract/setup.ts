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
 * The code has these characters, in groups of four; similar characters are left out. It is too long
 * to be guessed, so wrong codes need not lock out the right one.
 */
export const SETUP_CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const SETUP_CODE_CHARS = 12

/** The form in which codes are compared: without spaces and dashes, in upper case. */
export function normaliseSetupCode(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '')
}

const line = (maxChars: number) =>
  Type.String({
    maxLength: maxChars,
    description: `Value must be a valid string and no longer than ${maxChars} chars`,
  })

export const NewSetup = Type.Object({
  /** An empty text changes nothing; nor does an empty `about`. */
  siteName: line(SITE_NAME_MAX_CHARS),
  about: Type.Optional(line(ABOUT_MAX_CHARS)),
  reading: Type.String({ description: 'Value must be a valid string' }),
  /** Absent when the account exists already. */
  name: Type.Optional(line(NAME_MAX_CHARS)),
  email: Type.String({ description: 'Value must be a valid string' }),
  password: Type.String({ description: 'Value must be a valid string' }),
  /** Needed where the state is `code`, unless the API key calls. */
  code: Type.Optional(line(64)),
})
export type NewSetup = Static<typeof NewSetup>

/** Whether the caller may set the blog up, and the current values. */
export type Setup = {
  state: SetupState
  siteName: SiteValues['siteName']
  about: SiteValues['about']
  reading: SiteValues['reading']
  /** Values that the server's settings fix: they cannot be changed in the browser. */
  fixed: SiteValueName[]
}

const optionalText = Type.Optional(Type.String({ description: 'Value must be a valid string' }))
/** Missing fields do not change. */
export const SiteChanges = Type.Object({
  siteName: optionalText,
  about: optionalText,
  reading: optionalText,
  registration: optionalText,
  newRole: optionalText,
  comments: optionalText,
  approveFirst: optionalText,
  accent: optionalText,
})
