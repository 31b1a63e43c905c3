// Types of the tables of operators (see schema.ts).
import type { Generated, Selectable } from 'kysely'

/** Lets one person sign up; there is at most one for an address. */
export type InvitationTable = {
  /** Becomes the id of the account. */
  id: string
  /** Lower case. */
  email: string
  /** The inviter's name; empty when the operator gave none. */
  name: string
  /** SHA-256 of the secret, hex. */
  secretHash: string
  /** 1 when the link was sent by mail, so that using it proves the address. */
  isMailed: number
  createdAt: string
  expiresAt: string
  /** The role of the account; empty for the default role of new accounts. */
  role: Generated<string>
  /** The operator's id; empty for the API key. */
  invitedBy: Generated<string>
}

export type InvitationRow = Selectable<InvitationTable>

/** A recorded action; rows are only added (backend/activity). */
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

/** A requested or nightly backup (backend/backups). */
export type BackupRunTable = {
  id: string
  /** When it was due; for a requested backup `asked`, and null once it has ended. */
  night: string | null
  requestedAt: string
  /** Who requested it; empty for the server and the API key. */
  byName: string
  /** The host that runs it, or where it was requested. */
  host: string
  state: 'waiting' | 'running' | 'complete' | 'failed'
  /** Until then only its process, or the host where it was requested, may run it. */
  aliveUntil: string
  attempts: number
  folder: string
  /** Name of the complete backup in its folder; else empty. */
  name: string
  doneBytes: number
  totalBytes: number
  sizeBytes: number
  endedAt: string
  /** Why it failed: one of `BACKUP_REASONS`; else empty. */
  reason: string
}
