// Imports and exports in each state, as the server answers them, for tests of their screens.
import type { Page } from '@playwright/test'
import { NO_COUNTS } from '#backend/archive/import/import-options.ts'
import type {
  ExportPart,
  ExportRun,
  ImportCheck,
  ImportCounts,
  ImportRun,
} from '#contract/archive.ts'

export const FOUND: ImportCounts = {
  posts: 212,
  drafts: 17,
  pages: 9,
  pictures: 1106,
  comments: 1893,
  people: 4,
  tags: 64,
  addresses: 212,
}

const MIB = 1024 * 1024

export function makeCheck(changes: Partial<ImportCheck> = {}): ImportCheck {
  return {
    kind: 'wordpress',
    program: 'WordPress 6.8',
    siteName: 'Harbour Notes',
    siteDescription: 'Notes from the quay',
    siteUrl: 'https://trains.example.com',
    found: FOUND,
    willImport: { ...FOUND, pages: 8, pictures: 1083 },
    oldest: '2012-02-14T10:00:00.000+00:00',
    newest: '2025-11-09T10:00:00.000+00:00',
    pictureBytes: 408 * MIB,
    roomBytes: 416 * MIB,
    people: [],
    issues: [
      { what: 'picture', reason: 'pictureMissing', count: 23, names: ['a.jpg', 'b.jpg', 'c.jpg'] },
      { what: 'part', reason: 'shortcode', count: 4, names: ['contact-form', 'slider'] },
      { what: 'post', reason: 'present', count: 2, names: ['The second border', 'A short one'] },
      { what: 'post', reason: 'tooManyTags', count: 12, names: ['One', 'Two', 'Three'] },
    ],
    issueCount: 38,
    ...changes,
  }
}

export const PEOPLE: ImportCheck['people'] = [
  {
    key: 'mara',
    name: 'Mara E.',
    email: 'mara@example.org',
    posts: 612,
    proposal: '',
    isAmbiguous: true,
  },
  {
    key: 'petra',
    name: 'Petra Lind',
    email: 'petra@harbour.example',
    posts: 318,
    proposal: '',
    isAmbiguous: false,
  },
  { key: 'ghost', name: 'Ghost', email: '', posts: 6, proposal: '', isAmbiguous: false },
]

export function makeImport(changes: Partial<ImportRun> = {}): ImportRun {
  return {
    $id: 'import1',
    $createdAt: new Date().toISOString(),
    state: 'checked',
    fileName: 'trains.WordPress.2025-11-23.xml',
    sizeBytes: 14 * MIB,
    pieces: 3,
    oldAddress: '',
    progress: { phase: 'read', done: 0, total: 0, name: '', imported: NO_COUNTS },
    check: makeCheck(),
    choices: null,
    problem: '',
    startedAt: '',
    endedAt: '',
    undoUntil: '',
    expire: '',
    kept: 0,
    ...changes,
  }
}

export function makeRunning(changes: Partial<ImportRun> = {}): ImportRun {
  return makeImport({
    state: 'running',
    startedAt: new Date(Date.now() - 240_000).toISOString(),
    progress: {
      phase: 'posts',
      done: 84,
      total: 229,
      name: 'The second border',
      imported: { ...NO_COUNTS, posts: 84, pictures: 391 },
    },
    ...changes,
  })
}

export function makeDone(changes: Partial<ImportRun> = {}): ImportRun {
  return makeImport({
    state: 'done',
    startedAt: new Date(Date.now() - 540_000).toISOString(),
    endedAt: new Date().toISOString(),
    undoUntil: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    progress: {
      phase: 'links',
      done: 229,
      total: 229,
      name: '',
      imported: { ...FOUND, pages: 0, pictures: 1083, people: 0 },
    },
    ...changes,
  })
}

export function makeExport(part: ExportPart, changes: Partial<ExportRun> = {}): ExportRun {
  return {
    $id: `export-${part}`,
    $createdAt: new Date().toISOString(),
    state: 'done',
    parts: [part],
    hasPeople: false,
    progress: { done: 1, total: 1 },
    sizeBytes: 96 * MIB,
    endedAt: new Date().toISOString(),
    expire: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    problem: '',
    ...changes,
  }
}

/** What the server answers; a test changes it while the page is open. */
export type FakeArchives = { imports: ImportRun[]; exports: ExportRun[] }

/** Answers the reading calls of a page's imports and exports, once the page loads them itself. */
export async function fakeArchives(page: Page, archives: FakeArchives): Promise<void> {
  const list = (name: 'imports' | 'exports') => async () => ({
    total: archives[name].length,
    [name]: archives[name],
  })
  for (const name of ['imports', 'exports'] as const)
    await page.route(new RegExp(`/v1/(account|operator)/${name}$`), async (route) =>
      route.request().method() === 'GET'
        ? await route.fulfill({ json: await list(name)() })
        : await route.fallback(),
    )
  await page.route(/\/v1\/(account|operator)\/imports\/\w+$/, async (route) => {
    const run = archives.imports.find(({ $id }) => route.request().url().endsWith($id))
    if (route.request().method() !== 'GET' || !run) return await route.fallback()
    await route.fulfill({ json: run })
  })
}
