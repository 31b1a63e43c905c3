// Writes an archive into a folder: a site that opens without a server, Markdown, and the data. The
// blog may run meanwhile. An export that was killed is continued by the next one in its folder; the
// manifest is written last.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { EXPORT_PARTS, type ExportPart } from '#contract/archive.ts'
import { findUserRow } from '../../accounts/users.ts'
import { CopyProblem, hashFile, listNames } from '../../backups/backup-io.ts'
import { readProgramVersion } from '../../backups/manifest.ts'
import { syncPath } from '../../files/disk.ts'
import { unlessCode } from '../../process/secrets.ts'
import type { ArchiveContext } from '../context.ts'
import {
  CHECKSUMS,
  DATA_FOLDER,
  FILES_FOLDER,
  FORMAT,
  MANIFEST,
  type Manifest,
  manifestText,
  readManifest,
} from '../manifest.ts'
import { exportData } from './export-data.ts'
import { exportMarkdown, MARKDOWN_FOLDER } from './export-markdown.ts'
import type { ExportOptions, ExportRequest, WritePart } from './export-options.ts'
import { exportSite, SITE_FOLDER } from './export-site.ts'
import { listFiles } from './zip-folder.ts'

/** In the folder until the export is complete: whose export it is. */
const UNFINISHED = 'unfinished.json'

/** The folders and the writer of each part. */
const PARTS: Record<ExportPart, { folders: readonly string[]; write: WritePart }> = {
  data: { folders: [DATA_FOLDER, FILES_FOLDER], write: exportData },
  markdown: { folders: [MARKDOWN_FOLDER], write: exportMarkdown },
  site: { folders: [SITE_FOLDER], write: exportSite },
}

/**
 * @throws CopyProblem when the folder holds anything but an export of the same blog and the same
 *   parts; then it is not changed
 */
export async function writeArchive(
  context: ArchiveContext,
  request: ExportRequest,
  options: ExportOptions,
): Promise<{ sizeBytes: number; manifest: Manifest }> {
  const folder = resolve(request.folder)
  // A person's own archive has nothing but their posts.
  const hasPeople = request.hasPeople && request.ownerId === undefined
  const parts = EXPORT_PARTS.filter((part) => request.parts.includes(part))
  const subject = await describeSubject(context, request)
  await prepareFolder(folder, subject, parts)
  const counts: Manifest['counts'] = {}
  const lost: string[] = []
  for (const part of parts) {
    const written = await PARTS[part].write(context, { ...request, folder, hasPeople }, options)
    counts[part] = written.counts
    lost.push(...(written.lost ?? []))
    options.signal.throwIfAborted()
  }
  const folders = parts.flatMap((part) => PARTS[part].folders)
  const files = await writeChecksums(folder, folders.toSorted(), options.signal)
  const manifest: Manifest = {
    archive: 'lamplight',
    format: FORMAT,
    program: await readProgramVersion(),
    createdAt: context.now().toISOString(),
    ...subject,
    parts,
    hasPeople,
    counts,
    lost,
    files,
  }
  const partial = join(folder, `${MANIFEST}.new`)
  await writeFile(partial, manifestText(manifest), { mode: 0o600 })
  await syncPath(partial)
  await rename(partial, join(folder, MANIFEST))
  await rm(join(folder, UNFINISHED))
  await syncPath(folder)
  return { sizeBytes: files.sizeBytes, manifest }
}

type Subject = Pick<Manifest, 'blog' | 'owner'>

async function describeSubject(context: ArchiveContext, { ownerId }: ExportRequest) {
  const { siteName } = await context.site.read()
  const owner = ownerId === undefined ? undefined : await findUserRow(context.db, ownerId)
  if (ownerId !== undefined && !owner) throw new CopyProblem('There is no such account any more')
  return {
    blog: { name: siteName, url: context.publicUrl },
    owner: owner ? { id: owner.id, name: owner.name } : null,
  }
}

/** Makes the folder, or takes over that of an earlier export. */
async function prepareFolder(
  folder: string,
  { blog, owner }: Subject,
  parts: readonly ExportPart[],
): Promise<void> {
  const identity = identityOf({ blog, owner })
  // A kill may have left that file alone, and empty.
  const names = (await listNames(folder)).filter((name) => name !== UNFINISHED)
  if (names.length > 0) {
    const earlier = await findEarlier(folder)
    if (earlier?.identity !== identity)
      throw new CopyProblem(
        `${folder} is not empty, and no export of this blog: name another folder`,
      )
    const others = earlier.parts.filter((part) => !parts.includes(part))
    if (others.length > 0)
      throw new CopyProblem(
        `${folder} has the ${others.join(' and ')} of an earlier export, too: export the same parts, or name another folder`,
      )
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  await writeFile(join(folder, UNFINISHED), `${JSON.stringify({ identity, parts })}\n`)
  for (const name of [MANIFEST, CHECKSUMS]) await rm(join(folder, name), { force: true })
}

/** Whose export a folder holds, complete or not; undefined when it is none. */
async function findEarlier(folder: string) {
  const unfinished = await readJson(join(folder, UNFINISHED))
  if (unfinished) return unfinished as { identity: string; parts: ExportPart[] }
  if (!existsSync(join(folder, MANIFEST))) return undefined
  const { blog, owner, parts } = await readManifest(createReadStream(join(folder, MANIFEST)))
  return { identity: identityOf({ blog, owner }), parts }
}

function identityOf({ blog, owner }: Subject): string {
  return JSON.stringify({ url: blog.url, owner: owner?.id ?? null })
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(unlessCode('ENOENT'))
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined // A kill may have cut it short.
  }
}

/** Reads every file once more, and writes its checksum. */
async function writeChecksums(folder: string, folders: readonly string[], signal: AbortSignal) {
  const path = join(folder, CHECKSUMS)
  const output = createWriteStream(path, { mode: 0o600 })
  const checksums = createHash('sha256')
  const files = { count: 0, sizeBytes: 0 }
  for (const name of folders)
    for await (const file of listFiles(folder, name)) {
      signal.throwIfAborted()
      const hashes = await hashFile(join(folder, file))
      if (!hashes) throw new CopyProblem(`${join(folder, file)} has been removed meanwhile`)
      const line = `${hashes.sha256}  ${file}\n`
      checksums.update(line)
      if (!output.write(line)) await once(output, 'drain')
      files.count++
      files.sizeBytes += hashes.sizeBytes
    }
  output.end()
  await finished(output)
  await syncPath(path)
  return { ...files, checksumsSha256: checksums.digest('hex') }
}
