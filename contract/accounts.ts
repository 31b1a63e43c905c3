// Shapes of the account calls (contract §2.1, §10.5). Bodies are schemas: type and check from one source.
import Type, { type Static } from 'typebox'
import { NAME_MAX_CHARS } from './limits.ts'

/** Free JSON kept for a person; the app uses the keys below and leaves others alone (ruling O16). */
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

/** What the API key sees of a person: hash fields are always empty (contract §6). */
export type User = Account & { password: string; hash: string; hashOptions: Record<string, never> }

/** What anyone may learn of a person (contract §10.5). */
export type PublicUser = { $id: string; name: string }

const name = Type.String({ maxLength: NAME_MAX_CHARS, description: `Value must be a valid string and no longer than ${NAME_MAX_CHARS} chars` })
const anyText = Type.String({ description: 'Value must be a valid string' })

/** Form only; what a valid id, address or password is, the rules say (`backend/accounts`). Order = order of checks. */
export const NewAccount = Type.Object({ userId: anyText, email: anyText, password: anyText, name: Type.Optional(name) })
export type NewAccount = Static<typeof NewAccount>

export const NewEmailSession = Type.Object({ email: anyText, password: anyText })
export type NewEmailSession = Static<typeof NewEmailSession>

export const UpdatedPrefs = Type.Object({ prefs: Type.Record(Type.String(), Type.Unknown(), { description: 'Value must be a valid JSON object' }) })
export type UpdatedPrefs = Static<typeof UpdatedPrefs>
