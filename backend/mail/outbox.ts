// Reads the outbox: the folder that holds the newest mails, one file each, while no mail server is
// set up. mailer.ts writes the files.
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OUTBOX_MAIL_KINDS, OUTBOX_MAILS_MAX, type OutboxMailKind } from '#contract/operator.ts'
import { tryParseEmail } from './addresses.ts'

export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox')

/** File names without their extension. */
const ID = /^[0-9TZ-]{20,30}-[0-9a-f]{8}$/
const EXTENSION = '.eml'

/** Headers in the files only: no mail server sees them. */
export const KIND_HEADER = 'X-Lamplight-Kind'
export const TOKEN_HEADER = 'X-Lamplight-Token'

export type OutboxMail = {
  /** The name of its file. */
  id: string
  kind: OutboxMailKind
  /** Id of the token of its link or code; empty for mails without one. */
  tokenId: string
  at: string
  from: string
  to: string
  subject: string
  text: string
  /** A link with a secret, or a code; empty for mails without one. */
  link: string
}

/** Newest first. */
export async function listOutboxMails(dataDir: string): Promise<OutboxMail[]> {
  const mails: OutboxMail[] = []
  for (const name of (await listFiles(outboxFolder(dataDir)))
    .toReversed()
    .slice(0, OUTBOX_MAILS_MAX)) {
    const mail = await findOutboxMail(dataDir, name.slice(0, -EXTENSION.length))
    if (mail) mails.push(mail)
  }
  return mails
}

/** @returns undefined when there is no such mail, or it was deleted meanwhile */
export async function findOutboxMail(dataDir: string, id: string): Promise<OutboxMail | undefined> {
  if (!ID.test(id)) return undefined
  const raw = await readFile(join(outboxFolder(dataDir), id + EXTENSION), 'utf8').catch(
    () => undefined,
  )
  return raw === undefined ? undefined : parse(id, raw)
}

/** Deletes all but the newest mails. */
export async function deleteOldMails(folder: string): Promise<void> {
  const names = await listFiles(folder)
  for (const name of names.slice(0, Math.max(0, names.length - OUTBOX_MAILS_MAX)))
    await rm(join(folder, name), { force: true })
}

/** Oldest first. */
async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith(EXTENSION)).toSorted()
}

function parse(id: string, raw: string): OutboxMail {
  const headEnd = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, headEnd).replaceAll(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const date = new Date(header('Date'))
  const kind = OUTBOX_MAIL_KINDS.find((name) => name === header(KIND_HEADER)) ?? 'other'
  const boundary = /boundary="?([^";\s]+)/.exec(head)?.[1] ?? ''
  const text = findText(raw.slice(headEnd), boundary)
  const address = header('To').replaceAll(/[<>]/g, '')
  return {
    id,
    kind,
    tokenId: header(TOKEN_HEADER),
    at: Number.isNaN(date.getTime()) ? '' : date.toISOString(),
    from: decodeWords(header('From')),
    to: tryParseEmail(address) ?? address,
    subject: decodeWords(header('Subject')),
    text,
    link: findLink(kind, text),
  }
}

/** The plain text: the first part of the body. */
function findText(body: string, boundary: string): string {
  const [, part = ''] = body.split(`--${boundary}`)
  const start = part.indexOf('\r\n\r\n')
  return part.slice(start).replaceAll('\r\n', '\n').trim()
}

const LINK = /https?:\/\/\S+[?&]secret=\S+/
const CODE = /\b\d{6}\b/

function findLink(kind: OutboxMailKind, text: string): string {
  if (kind === 'notifications' || kind === 'other') return ''
  return (kind === 'code' ? CODE : LINK).exec(text)?.[0] ?? ''
}

/** The text for readers other than its recipient: without secrets and codes. */
export function withoutSecrets({ kind, text }: OutboxMail): string {
  const shown = text.replaceAll(/([?&]secret=)[^\s&#]+/g, '$1…')
  return kind === 'code' ? shown.replace(CODE, '……') : shown
}

/** Encoded words of a header. @source RFC 2047 */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, coding: string, coded: string) =>
      coding.toLowerCase() === 'b'
        ? Buffer.from(coded, 'base64').toString()
        : Buffer.from(
            coded
              .replaceAll('_', ' ')
              .replaceAll(/=([\da-f]{2})/gi, (_hex, byte: string) =>
                String.fromCharCode(Number.parseInt(byte, 16)),
              ),
            'latin1',
          ).toString(),
    )
}
