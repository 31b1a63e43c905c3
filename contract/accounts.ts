// Shapes of the account calls (api.md §2.1, §10.5). Bodies are schemas: type and check from one
// source.
import Type, { type Static } from 'typebox'
import {
  MAIL_SECRET_MAX_CHARS,
  NAME_MAX_CHARS,
  SIGN_IN_LINK_MAX_SECONDS,
  SIGN_IN_LINK_MIN_SECONDS,
} from './limits.ts'

/**
 * Free JSON kept for a person; the app uses the keys below and leaves others alone (product.md
 * §O16).
 */
export type Prefs = {
  /** File id in the avatar bucket. */
  avatar?: string
  theme?: 'dark' | 'light' | 'system'
  bottomBar?: 'shown' | 'hidden'
  [key: string]: unknown
}

/** Times are `wireTime` texts or `""`. */
export type Account = {
  $id: string
  $createdAt: string
  $updatedAt: string
  name: string
  registration: string
  status: boolean
  labels: string[]
  passwordUpdate: string
  email: string
  phone: string
  emailVerification: boolean
  phoneVerification: boolean
  prefs: Prefs
  accessedAt: string
}

export type Session = {
  $id: string
  $createdAt: string
  userId: string
  expire: string
  provider: string
  providerUid: string
  providerAccessToken: string
  providerAccessTokenExpiry: string
  providerRefreshToken: string
  ip: string
  osCode: string
  osName: string
  osVersion: string
  clientType: string
  clientCode: string
  clientName: string
  clientVersion: string
  clientEngine: string
  clientEngineVersion: string
  deviceName: string
  deviceBrand: string
  deviceModel: string
  countryCode: string
  countryName: string
  current: boolean
}

/** A secret that was sent by mail. `secret` is empty for everybody but the API key. */
export type Token = {
  $id: string
  $createdAt: string
  userId: string
  secret: string
  expire: string
}

/** What the API key sees of a person: hash fields are always empty (api.md §6). */
export type User = Account & { password: string; hash: string; hashOptions: Record<string, never> }

/** What anyone may learn of a person (api.md §10.5). */
export type PublicUser = { $id: string; name: string }

const name = Type.String({
  maxLength: NAME_MAX_CHARS,
  description: `Value must be a valid string and no longer than ${NAME_MAX_CHARS} chars`,
})
const someName = Type.String({
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
  description: `Value must be a valid string of 1 to ${NAME_MAX_CHARS} chars`,
})
const mailSecret = Type.String({
  minLength: 1,
  maxLength: MAIL_SECRET_MAX_CHARS,
  description: `Value must be a valid string of 1 to ${MAIL_SECRET_MAX_CHARS} chars`,
})
const anyText = Type.String({ description: 'Value must be a valid string' })

/**
 * Form only; what a valid id, address or password is, the rules say (`backend/accounts`). Order =
 * order of checks.
 */
export const NewAccount = Type.Object({
  userId: anyText,
  email: anyText,
  password: anyText,
  name: Type.Optional(name),
})
export type NewAccount = Static<typeof NewAccount>

export const NewEmailSession = Type.Object({ email: anyText, password: anyText })
export type NewEmailSession = Static<typeof NewEmailSession>

/** For accounts that have a password. */
export const DeletedAccount = Type.Object({ password: Type.Optional(anyText) })

export const UpdatedPrefs = Type.Object({
  prefs: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Value must be a valid JSON object',
  }),
})
export type UpdatedPrefs = Static<typeof UpdatedPrefs>

export const NewRecovery = Type.Object({ email: anyText, url: anyText })
/** `passwordAgain` comes from 13.0.2 alone (api.md §12). */
export const FinishedRecovery = Type.Object({
  userId: anyText,
  secret: mailSecret,
  password: anyText,
  passwordAgain: Type.Optional(anyText),
})
export type FinishedRecovery = Static<typeof FinishedRecovery>

export const NewVerification = Type.Object({ url: anyText })
export const MailedSecret = Type.Object({ userId: anyText, secret: mailSecret })
export type MailedSecret = Static<typeof MailedSecret>

export const NewMagicUrl = Type.Object({
  userId: anyText,
  email: anyText,
  url: Type.Optional(anyText),
})
export type NewMagicUrl = Static<typeof NewMagicUrl>

export const UpdatedName = Type.Object({ name: someName })
export const UpdatedEmail = Type.Object({ email: anyText, password: anyText })
export type UpdatedEmail = Static<typeof UpdatedEmail>
export const UpdatedPassword = Type.Object({
  password: anyText,
  oldPassword: Type.Optional(anyText),
})
export type UpdatedPassword = Static<typeof UpdatedPassword>

/** The API key's calls (api.md §6). */
export const NewUser = Type.Object({
  userId: anyText,
  email: anyText,
  password: Type.Optional(anyText),
  name: Type.Optional(name),
})
export type NewUser = Static<typeof NewUser>
export const SetEmail = Type.Object({ email: anyText })
export const SetPassword = Type.Object({ password: anyText })
export const SetStatus = Type.Object({
  status: Type.Boolean({ description: 'Value must be a valid boolean' }),
})
export const SetVerification = Type.Object({
  emailVerification: Type.Boolean({ description: 'Value must be a valid boolean' }),
})
export const NewSignInLink = Type.Object({
  expire: Type.Optional(
    Type.Integer({
      minimum: SIGN_IN_LINK_MIN_SECONDS,
      maximum: SIGN_IN_LINK_MAX_SECONDS,
      description: `Value must be a valid range between ${SIGN_IN_LINK_MIN_SECONDS} and ${SIGN_IN_LINK_MAX_SECONDS}`,
    }),
  ),
})
