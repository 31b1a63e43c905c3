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
  /** The operator's id; empty for the API key. */
  invitedBy: Generated<string>
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

/** A backup that was asked for, or was due in a night (backend/backups). */
export type BackupRunTable = {
  id: string
  /** When it was due; `asked`, and null once it has ended, for one that somebody asked for. */
  night: string | null
  requestedAt: string
  /** Who asked; empty for the server and the API key. */
  byName: string
  /** The host that makes it, or where it was asked for. */
  host: string
  state: 'waiting' | 'running' | 'complete' | 'failed'
  /** Until then its process, or the host where it was asked for, has it to itself. */
  aliveUntil: string
  attempts: number
  folder: string
  /** Of the complete backup, in its folder; else empty. */
  name: string
  doneBytes: number
  totalBytes: number
  sizeBytes: number
  endedAt: string
  /** Why it failed: one of `BACKUP_REASONS`; else empty. */
  reason: string
}
