// What the blog depends on beside its own data: S3, mail, and the backups.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listBackups, momentOf, newestBy } from '../backups/backup-folder.ts'
import { describeProblem } from '../backups/backup-io.ts'
import { listParts, readManifest } from '../backups/manifest.ts'
import { requireBucket } from '../files/s3.ts'
import { type ProxyView, proxyProbe } from '../http/health.ts'
import type { Patient, Say } from './finding.ts'

/** How long a mail server or the public address may take to answer. */
const WAIT_MS = 10_000
const BACKUP_AGE_WARNING_HOURS = 2 * 24
const BACKUP_AGE_FAULT_HOURS = 7 * 24
const HOUR_MS = 3_600_000

export async function checkS3({ s3 }: Patient) {
  if (!s3) return undefined
  await requireBucket(s3)
  return `the bucket ${s3.bucket} at ${s3.endpoint} answers`
}

/** Connects, says hello and signs in. No mail is sent. */
export async function checkMail({ mail, isPublic }: Patient, say: Say) {
  if (mail.kind === 'off') return 'is switched off (BLOG_MAIL=off)'
  if (mail.kind === 'outbox') {
    const text = 'no mail server is set, mails are files in outbox/ of the data folder'
    if (isPublic) say.warning(`${text}: set BLOG_SMTP_URL and BLOG_MAIL_FROM`)
    return text
  }
  const { createTransport } = await import('nodemailer')
  const waits = { connectionTimeout: WAIT_MS, greetingTimeout: WAIT_MS, socketTimeout: WAIT_MS }
  const transport = createTransport({ url: mail.url, ...waits })
  const name = `the mail server ${new URL(mail.url).hostname}`
  await transport.verify().catch((error: unknown) => {
    const todo = 'check BLOG_SMTP_URL; npm run mail:test tries a whole mail'
    say.fault(`${name}: ${describeProblem(error)}: ${todo}`)
  })
  transport.close()
  return `${name} answers`
}

/** Sizes only: checksums take long and are for `--verify`. */
export async function checkBackups({ backups, known, nowMs }: Patient, say: Say) {
  const folder = backups?.folder ?? known?.backupFolder
  if (folder === undefined) {
    const todo = 'turn them on in the browser, or set BLOG_BACKUP_DIR to a folder'
    return known && say.warning(`the server makes none by itself: ${todo}`)
  }
  const newest = newestBy(await listBackups(folder), new Date(nowMs))
  if (newest === undefined && !backups) return `none yet in ${folder}: one is made each night`
  if (newest === undefined)
    return say.warning(`there is none in ${folder}: see the log of the server`)
  for (const part of listParts(await readManifest(join(folder, newest))))
    for (const { name, sizeBytes } of part.entries) {
      const path = join(folder, newest, part.folder, name)
      if ((await stat(path).catch(() => undefined))?.size !== sizeBytes)
        return say.fault(`${path} is not what the manifest says: npm run backup -- --verify DIR`)
    }
  const ageHours = (nowMs - momentOf(newest).getTime()) / HOUR_MS
  const text = `the newest of ${folder} is ${Math.round(ageHours)} hours old`
  if (ageHours > BACKUP_AGE_FAULT_HOURS)
    say.fault(`${text}: see the log for "backup of the night failed"`)
  else if (ageHours > BACKUP_AGE_WARNING_HOURS)
    say.warning(`${text}: does the server run at night, and does its log have errors?`)
  return text
}

// --- whether the server runs, and what it sees of visitors who come through the proxy in front

/** A domain reserved for documentation. */
const INVENTED = '203.0.113.77'
const SET_HEADER = 'let it set the header itself (docs/operating.md)'

/** Asks the server on this host. */
export async function checkServer(patient: Patient, say: Say) {
  const { host, port } = patient
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  const answer = await ask(`${url}/healthz`).catch(() => undefined)
  if (!answer) return say.warning(`does not run at ${url}: start it, unless it is meant to be off`)
  patient.isRunning = true
  if (!answer.ok) say.fault(`runs at ${url} and answers ${answer.status}: see its log`)
  return `runs at ${url} and is well`
}

/** Asks the public address as a visitor who names an invented client address. */
export async function checkProxy(patient: Patient, say: Say) {
  const { publicUrl, port, dataDir, isRunning } = patient
  if (!isRunning) return undefined
  const kept = await readFile(join(dataDir, 'api-key'), 'utf8').catch(() => '')
  const apiKey = patient.apiKey ?? kept.trim()
  if (apiKey === '')
    return say.warning('the API key cannot be read: run this as the user of the blog')
  const url = publicUrl + proxyProbe(apiKey, Date.now())
  const answer = await ask(url, { 'x-forwarded-for': INVENTED }).catch((error: unknown) => {
    const todo = 'check the proxy, its certificate and the name'
    say.warning(`${publicUrl} does not answer from here: ${describeProblem(error)}: ${todo}`)
  })
  if (!answer) return undefined
  const view = (await answer.json().catch(() => ({}))) as Partial<ProxyView>
  const { peer, forwardedFor, isTrusted } = view
  const other = answer.ok ? 'something else than this blog' : answer.status
  if (!answer.ok || peer === undefined)
    return say.fault(`${publicUrl} answers ${other}: does BLOG_PUBLIC_URL lead to this blog?`)
  const own = new URL(publicUrl)
  // The server itself speaks plain HTTP only.
  const isOwn = own.protocol === 'http:' && Number(own.port || 80) === port
  if (forwardedFor === INVENTED && isOwn) return `none in front of ${publicUrl}`
  if (forwardedFor === INVENTED)
    return say.fault(`it hands on any address that visitors say in X-Forwarded-For: ${SET_HEADER}`)
  const shared = 'so all visitors share its address in the rate limits'
  if (forwardedFor === null)
    return say.fault(`it sends no X-Forwarded-For, ${shared}: ${SET_HEADER}`)
  if (!isTrusted)
    return say.fault(`${peer} is not trusted, ${shared}: set BLOG_TRUSTED_PROXIES=${peer}`)
  return `${peer} names its visitors and is trusted`
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) })
}
