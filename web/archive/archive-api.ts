// The calls of imports and exports (api.md §15.28): of the viewer's own posts, or of the whole
// blog.
import type { ExportPart, ExportRun, ImportChoices, ImportRun } from '#contract/archive.ts'
import type { OperatorPeople, OperatorPerson } from '#contract/operator.ts'
import { type Api, callPath, pathOf, type Result, succeed } from '../api/client.ts'

/** `operator`: the whole blog. */
export type ArchiveScope = 'account' | 'operator'

/** All imports and exports that are stored, the newest first. */
export type Archives = { imports: ImportRun[]; exports: ExportRun[] }

/** Pages of people that are offered as authors. */
const PEOPLE_PAGES_MAX = 20

export async function readArchives(api: Api, scope: ArchiveScope): Promise<Result<Archives>> {
  const [imports, exports] = await Promise.all([
    callPath<{ imports: ImportRun[] }>(api, 'get', `/${scope}/imports`),
    listExports(api, scope),
  ])
  if (!imports.ok) return imports
  if (!exports.ok) return exports
  return succeed({ imports: imports.value.imports, exports: exports.value })
}

export function createImport(
  api: Api,
  scope: ArchiveScope,
  file: { fileName: string; sizeBytes: number; oldAddress: string },
): Promise<Result<ImportRun>> {
  return callPath(api, 'post', `/${scope}/imports`, file)
}

export function readImport(api: Api, scope: ArchiveScope, id: string): Promise<Result<ImportRun>> {
  return callPath(api, 'get', `/${scope}/imports/${id}`)
}

/** Begins the dry run, once the file is complete. */
export function checkImport(
  api: Api,
  scope: ArchiveScope,
  id: string,
  oldAddress: string,
): Promise<Result<ImportRun>> {
  return callPath(api, 'post', `/${scope}/imports/${id}/check`, { oldAddress })
}

/** Imports what the dry run has found. */
export function startImport(
  api: Api,
  scope: ArchiveScope,
  id: string,
  choices: ImportChoices,
): Promise<Result<ImportRun>> {
  return callPath(api, 'post', `/${scope}/imports/${id}/start`, choices)
}

/** `resume` also after a failure. */
export function changeImport(
  api: Api,
  scope: ArchiveScope,
  id: string,
  action: 'pause' | 'resume' | 'undo',
): Promise<Result<ImportRun>> {
  return callPath(api, 'post', `/${scope}/imports/${id}/${action}`)
}

/** Deletes the import with its file. What it imported stays. */
export function discardImport(api: Api, scope: ArchiveScope, id: string): Promise<Result<unknown>> {
  return callPath(api, 'delete', `/${scope}/imports/${id}`)
}

/** The address of a piece, which `PUT` stores. */
export function pieceAddress(api: Api, scope: ArchiveScope, id: string, piece: number): URL {
  return new URL(`${api.client.config.endpoint}/${scope}/imports/${id}/pieces/${piece}`)
}

/** The path of the list of what is left out, as a file. */
export function issuesPath(api: Api, scope: ArchiveScope, id: string): string {
  return downloadPath(api, `/${scope}/imports/${id}/issues.csv`)
}

export async function listExports(api: Api, scope: ArchiveScope): Promise<Result<ExportRun[]>> {
  const exports = await callPath<{ exports: ExportRun[] }>(api, 'get', `/${scope}/exports`)
  return exports.ok ? succeed(exports.value.exports) : exports
}

export function createExport(
  api: Api,
  scope: ArchiveScope,
  request: { parts: ExportPart[]; hasPeople: boolean },
): Promise<Result<ExportRun>> {
  return callPath(api, 'post', `/${scope}/exports`, request)
}

export function exportPath(api: Api, scope: ArchiveScope, id: string): string {
  return downloadPath(api, `/${scope}/exports/${id}/download`)
}

/** The path of a download, which the browser requests itself, without the client's headers. */
export function downloadPath({ client, settings }: Api, path: string): string {
  const address = new URL(client.config.endpoint + path)
  address.searchParams.set('project', settings.projectId)
  return pathOf(address)
}

/** The people of this blog who may own posts, by name. */
export async function listOwners(api: Api): Promise<Result<OperatorPerson[]>> {
  const owners: OperatorPerson[] = []
  for (let page = 1; page <= PEOPLE_PAGES_MAX; page += 1) {
    const people = await callPath<OperatorPeople>(api, 'get', '/operator/people', { page })
    if (!people.ok) return people
    owners.push(...people.value.list.filter(({ state }) => state === 'active'))
    if (page >= people.value.pages) break
  }
  return succeed(owners.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))))
}

export function nameOf({ name, email }: OperatorPerson): string {
  return name || email
}
