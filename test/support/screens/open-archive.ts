// Opens imports and exports in the states of states.ts.
import {
  type FakeArchives,
  fakeArchives,
  makeDone,
  makeExport,
  makeImport,
  makeRunning,
} from '#test/support/fake-archives.ts'
import { navigateTo, type Stage, settled } from './stage.ts'

async function open({ page }: Stage, archives: FakeArchives): Promise<void> {
  await fakeArchives(page, archives)
  await navigateTo(page, '/settings/data')
  await page.getByRole('heading', { name: 'Take everything with you' }).waitFor()
  await settled(page)
}

export async function openChosenFile(stage: Stage): Promise<void> {
  await open(stage, { imports: [makeImport({ state: 'uploading', check: null })], exports: [] })
  const file = { name: 'trains.xml', mimeType: 'text/xml', buffer: Buffer.from('<rss/>') }
  await stage.page.getByLabel('File with the posts').setInputFiles(file)
  await stage.page.getByRole('button', { name: 'Check the file' }).waitFor()
}

export async function openImportCheck(stage: Stage): Promise<void> {
  await open(stage, { imports: [makeImport()], exports: [makeExport('data')] })
}

export async function openRunningImport(stage: Stage): Promise<void> {
  const exported = makeExport('site', { state: 'running', progress: { done: 3, total: 10 } })
  await open(stage, { imports: [makeRunning()], exports: [exported] })
}

export async function openDoneImport(stage: Stage): Promise<void> {
  await open(stage, { imports: [makeDone()], exports: [] })
}

export async function openFailedImport(stage: Stage): Promise<void> {
  const problem = 'Line 40,211: the text ends in the middle.'
  const failed = makeImport({ state: 'failed', check: null, problem })
  await open(stage, { imports: [failed], exports: [makeExport('markdown', { state: 'failed' })] })
}
