// Tables of what operators do, as TypeScript sees them (see schema.ts).
import type { Generated, Selectable } from 'kysely'

/** Lets one person add an account; there is at most one for an address. */
export type InvitationTable = {
  /** Becomes the id of the account. */
  id: string
  /** Lower case. */
  email: string
  /** Who invites; empty when the operator gave no name. */
  name: string
  /** SHA-256 of the secret, hex. */
  secretHash: string
  /** 1 when a mail server was handed the link, so that using it proves the address. */
  isMailed: number
  createdAt: string
  expiresAt: string
  /** The role that the account gets; empty for the one that new accounts get. */
  role: Generated<string>
}

export type InvitationRow = Selectable<InvitationTable>

/** Something that was done; only ever added (backend/activity). */
export type ActivityTable = {
  seq: Generated<number>
  time: string
  /** `person`, `key` or `system`. */
  actor: string
  actorId: string
  actorName: string
  kind: string
  action: string
  subjectType: string
  subjectId: string
  subjectName: string
  /** A JSON object of texts. */
  details: string
}
