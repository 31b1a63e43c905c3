// Shapes of the account and user calls (api.md §2.1, §6, §10.5). Bodies are schemas: type and check
// from one source. A field that is missing or has the wrong type is refused as
// `general_argument_invalid`; which refusals a call adds is said at its body.
import Type, { type Static } from 'typebox'
import { NAME_MAX_CHARS } from './limits.ts'

/** Of a token that stands for a session. */
const JWT_MAX_SECONDS = 60 * 60
/** What the operator may ask for as a token. */
const TOKEN_MIN_CHARS = 4
const TOKEN_MAX_CHARS = 128
const MAIL_SECRET_MAX_CHARS = 256
/** Of a sign-in link made by the operator. */
const SIGN_IN_LINK_MIN_SECONDS = 60
const SIGN_IN_LINK_MAX_SECONDS = 7 * 24 * 60 * 60
/** Labels of a user, of letters and digits. */
const LABELS_MAX = 100
const LABEL_MAX_CHARS = 36

/**
 * Free JSON kept for a user, at most `PREFS_MAX_BYTES`; the app uses the keys below and leaves
 * others alone (product.md §O16).
 */
export type Prefs = {
  /** File id in the avatar bucket. */
  avatar?: string
  /** A line about themselves, which their page shows (`readAboutAuthor` of authors.ts). */
  about?: string
  theme?: 'dark' | 'light' | 'system'
  bottomBar?: 'shown' | 'hidden'
  /** The language that dates are written in (BCP 47); missing or `""` for the browser's own. */
  dateLanguage?: string
  /** What stands above the text in the editor; both when it is missing. */
  editorBars?: 'both' | 'toolbar'
  /** What becomes of pasted Markdown; formatted text when it is missing. */
  markdownPaste?: 'formatted' | 'typed'
  [key: string]: unknown
}

/**
 * An account as its own user sees it. All times are `wireTime` texts, `""` for never.
 * @source api.md §2.1
 */
export type Account = {
  $id: string
  $createdAt: string
  $updatedAt: string
  /** May be `""`. Plain text: markup in it means nothing. */
  name: string
  /** The same moment as `$createdAt`. */
  registration: string
  /** False while the account is blocked. */
  status: boolean
  /** What the operator has set. */
  labels: string[]
  /** When the password was last set; `""` for an account without one. */
  passwordUpdate: string
  /** In lower case. */
  email: string
  /** Always `""`. */
  phone: string
  /** Whether the user has proven to receive mail at `email`. */
  emailVerification: boolean
  /** Always false. */
  phoneVerification: boolean
  prefs: Prefs
  /** The last sign-in or use, to within `ACCESSED_AT_STEP_SECONDS`. */
  accessedAt: string
}

/**
 * A session as its own user sees it. What the user agent does not tell is `""`.
 * @source api.md §2.1
 */
export type Session = {
  $id: string
  $createdAt: string
  userId: string
  /** When it ends at the latest; unused it ends earlier (`SESSION_IDLE_SECONDS`). */
  expire: string
  /** `email`, `magic-url` or `google`. */
  provider: string
  /** The e-mail for `email`, the provider's own id of the user for `google`, else `""`. */
  providerUid: string
  /** Filled only for the current session, read by id or as `current` (api.md §2.4). */
  providerAccessToken: string
  providerAccessTokenExpiry: string
  /** Always `""`: it never leaves the server. */
  providerRefreshToken: string
  /** The address from which the session was started. */
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
  /** Always `--`: addresses are not looked up. */
  countryCode: string
  countryName: string
  /** Whether it is the session of this very request. */
  current: boolean
}

/** A sign-in as its own user sees it; the device as in a session. @source api.md §2.1 */
export type SignInLog = {
  /** Always `session.create`. */
  event: string
  userId: string
  userEmail: string
  userName: string
  /** Always `default`. */
  mode: string
  ip: string
  time: string
} & Device &
  Pick<Session, 'countryCode' | 'countryName'>

/** The device and program of a session. */
export type Device = Pick<
  Session,
  | 'osCode'
  | 'osName'
  | 'osVersion'
  | 'clientType'
  | 'clientCode'
  | 'clientName'
  | 'clientVersion'
  | 'clientEngine'
  | 'clientEngineVersion'
  | 'deviceName'
  | 'deviceBrand'
  | 'deviceModel'
>

/**
 * A way to sign in that a provider vouches for, as its own user sees it. The provider's tokens are
 * always `""` here.
 */
export type Identity = {
  $id: string
  /** When it was linked. */
  $createdAt: string
  /** The last sign-in with it. */
  $updatedAt: string
  userId: string
  /** `google`. */
  provider: string
  /** The provider's own id of the user. */
  providerUid: string
  /** The address that the provider named at the last sign-in; `""` when unknown. */
  providerEmail: string
  providerAccessToken: string
  providerAccessTokenExpiry: string
  providerRefreshToken: string
}

/**
 * A single-use token that was sent by mail. `secret` is `""` for everybody but the API key.
 * @source api.md §2.1, §2.3
 */
export type Token = {
  $id: string
  $createdAt: string
  /** Random in the answer to a recovery, so that it does not tell whether the address is known. */
  userId: string
  secret: string
  expire: string
}

/** An invitation as the API key sees it (api.md §6.2). */
export type Invitation = {
  $id: string
  $createdAt: string
  email: string
  /** Who invites; `""` when nobody was named. */
  name: string
  expire: string
  /** A mail server was handed the link, so that using it proves the address. */
  mailed: boolean
  /** The link, in the answer that made it and only when it was not mailed; else `""`. */
  url: string
}

/** An invitation as the holder of its link sees it. */
export type OwnInvitation = Pick<Invitation, 'email' | 'name' | 'expire'>

/** What the API key sees of a user: hash fields are always empty (api.md §6). */
export type User = Account & { password: string; hash: string; hashOptions: Record<string, never> }

/** What anyone may learn of a user (api.md §10.5). */
export type PublicUser = { $id: string; name: string }

const name = Type.String({
  maxLength: NAME_MAX_CHARS,
  description: `Value must be a valid string and no longer than ${NAME_MAX_CHARS} chars`,
})
const nonEmptyName = Type.String({
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
  description: `Value must be a valid string of 1 to ${NAME_MAX_CHARS} chars`,
})
const mailSecret = Type.String({
  minLength: 1,
  maxLength: MAIL_SECRET_MAX_CHARS,
  description: `Value must be a valid string of 1 to ${MAIL_SECRET_MAX_CHARS} chars`,
})
const truth = Type.Boolean({ description: 'Value must be a valid boolean' })
const anyText = Type.String({ description: 'Value must be a valid string' })

/**
 * Signing up. The schema checks the form only; what a valid id, address or password is, the rules
 * say (`backend/accounts`). The order of fields is the order of checks. `userId` is an id or
 * `unique()`.
 *
 * Refused as `user_count_exceeded`, `user_invalid_token`, `password_personal_data`,
 * `user_already_exists`.
 */
export const NewAccount = Type.Object({
  userId: anyText,
  email: anyText,
  password: anyText,
  name: Type.Optional(name),
  /** Of an invitation, whose id is `userId`. */
  secret: Type.Optional(mailSecret),
})
export type NewAccount = Static<typeof NewAccount>

/** The operator invites an address; `name` says who invites. Refused as `user_already_exists`. */
export const NewInvitation = Type.Object({ email: anyText, name: Type.Optional(name) })
export type NewInvitation = Static<typeof NewInvitation>
/** What the link of an invitation carries. Refused as `user_invalid_token`. */
export const InvitationProof = Type.Object({ userId: anyText, secret: mailSecret })
export type InvitationProof = Static<typeof InvitationProof>

/** Signing in. Refused as `user_invalid_credentials` whatever is wrong, or `user_blocked`. */
export const NewEmailSession = Type.Object({ email: anyText, password: anyText })
export type NewEmailSession = Static<typeof NewEmailSession>

/** `duration` is the lifetime in seconds. Refused as `user_session_not_found`. */
export const NewJwt = Type.Object({
  duration: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: JWT_MAX_SECONDS,
      description: `Value must be a valid range between 0 and ${JWT_MAX_SECONDS}`,
    }),
  ),
})

/**
 * Deleting the own account. The password is needed if the account has one; otherwise the session
 * must be at most `FRESH_SIGN_IN_SECONDS` old. Refused as `user_invalid_credentials`,
 * `user_unauthorized` (api.md §15.1).
 */
export const DeletedAccount = Type.Object({ password: Type.Optional(anyText) })

/** All prefs; what is not sent is gone. */
export const UpdatedPrefs = Type.Object({
  prefs: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Value must be a valid JSON object',
  }),
})
export type UpdatedPrefs = Static<typeof UpdatedPrefs>

/** Asking for a recovery. `url` is where the mailed link leads: an address of a listed origin. */
export const NewRecovery = Type.Object({ email: anyText, url: anyText })
/**
 * A new password with the secret of the mail. Only client 13.0.2 sends `passwordAgain` (api.md
 * §12). Refused as `user_invalid_token`, `user_password_mismatch`, `password_personal_data`.
 */
export const FinishedRecovery = Type.Object({
  userId: anyText,
  secret: mailSecret,
  password: anyText,
  passwordAgain: Type.Optional(anyText),
})
export type FinishedRecovery = Static<typeof FinishedRecovery>

/** Asking for a verification. Refused as `user_email_alread_verified` (api.md §9). */
export const NewVerification = Type.Object({ url: anyText })
/** What a verification or sign-in link carries. Refused as `user_invalid_token`. */
export const MailedSecret = Type.Object({ userId: anyText, secret: mailSecret })
export type MailedSecret = Static<typeof MailedSecret>

/**
 * Asking for a sign-in link. `userId` is the id that an unknown address gets; without `url` the
 * link leads to this blog.
 */
export const NewMagicUrl = Type.Object({
  userId: anyText,
  email: anyText,
  url: Type.Optional(anyText),
})
export type NewMagicUrl = Static<typeof NewMagicUrl>
/** Asking for a code, as for a link. */
export const NewEmailCode = Type.Object({
  userId: anyText,
  email: anyText,
  /** Whether answer and mail say two words, for the person to compare. */
  phrase: Type.Optional(truth),
})
export type NewEmailCode = Static<typeof NewEmailCode>

export const UpdatedName = Type.Object({ name: nonEmptyName })
/**
 * `password` is the current one; an account without a password gets it as its first, if the session
 * is at most `FRESH_SIGN_IN_SECONDS` old. Refused as `user_invalid_credentials`,
 * `user_unauthorized`, `user_email_already_exists`.
 */
export const UpdatedEmail = Type.Object({ email: anyText, password: anyText })
export type UpdatedEmail = Static<typeof UpdatedEmail>
/**
 * `oldPassword` is needed if there is one; otherwise the session must be at most
 * `FRESH_SIGN_IN_SECONDS` old. Refused as `user_invalid_credentials`, `user_unauthorized`.
 */
export const UpdatedPassword = Type.Object({
  password: anyText,
  oldPassword: Type.Optional(anyText),
})
export type UpdatedPassword = Static<typeof UpdatedPassword>

/** The API key's calls (api.md §6); refused as when users send the same fields. */
export const NewUser = Type.Object({
  userId: anyText,
  email: anyText,
  /** Without it the user signs in by links or with Google. */
  password: Type.Optional(anyText),
  name: Type.Optional(name),
})
export type NewUser = Static<typeof NewUser>
export const SetEmail = Type.Object({ email: anyText })
export const SetPassword = Type.Object({ password: anyText })
/** False blocks the user: all sessions end. */
export const SetStatus = Type.Object({
  status: truth,
})
export const SetVerification = Type.Object({
  emailVerification: truth,
})
/** With a hash from elsewhere in `password`. */
export const ImportedUser = Type.Object({
  userId: anyText,
  email: anyText,
  password: anyText,
  name: Type.Optional(name),
})
export type ImportedUser = Static<typeof ImportedUser>
const count = Type.Integer({ minimum: 1, description: 'Value must be a valid integer above 0' })
/** The hash as hex, and what scrypt was called with. */
export const ImportedScryptUser = Type.Object({
  userId: anyText,
  email: anyText,
  password: anyText,
  passwordSalt: anyText,
  passwordCpu: count,
  passwordMemory: count,
  passwordParallel: count,
  passwordLength: count,
  name: Type.Optional(name),
})
/** All labels; what is not sent is gone. */
export const SetLabels = Type.Object({
  labels: Type.Array(Type.String({ pattern: `^[A-Za-z0-9]{1,${LABEL_MAX_CHARS}}$` }), {
    maxItems: LABELS_MAX,
    description: `Value must be a list of at most ${LABELS_MAX} labels of 1 to ${LABEL_MAX_CHARS} letters and digits`,
  }),
})
/** `sessionId` is an id or `recent`, the default. */
export const NewUserJwt = Type.Object({
  sessionId: Type.Optional(anyText),
  duration: NewJwt.properties.duration,
})
export type NewUserJwt = Static<typeof NewUserJwt>

/** `expire` is the lifetime in seconds, a quarter of an hour when it is missing. */
export const NewSignInLink = Type.Object({
  /** Of the secret; as long as in a mailed link when it is missing. */
  length: Type.Optional(
    Type.Integer({
      minimum: TOKEN_MIN_CHARS,
      maximum: TOKEN_MAX_CHARS,
      description: `Value must be a valid range between ${TOKEN_MIN_CHARS} and ${TOKEN_MAX_CHARS}`,
    }),
  ),
  expire: Type.Optional(
    Type.Integer({
      minimum: SIGN_IN_LINK_MIN_SECONDS,
      maximum: SIGN_IN_LINK_MAX_SECONDS,
      description: `Value must be a valid range between ${SIGN_IN_LINK_MIN_SECONDS} and ${SIGN_IN_LINK_MAX_SECONDS}`,
    }),
  ),
})
export type NewSignInLink = Static<typeof NewSignInLink>
