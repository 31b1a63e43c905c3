// Formats the results as lines of the log and as docs/benchmarks.md.
import { cpus } from 'node:os'
import type { LoadResult } from './load.ts'
import { scale } from './options.ts'

export type Row = { name: string; load: LoadResult; aim: string; ofBare?: number | undefined }
/** Pages a second that guests get alone, and beside a writer. */
export type WriterImpact = { name: string; alone: LoadResult; beside: LoadResult }
export type Growth = { name: string; small: LoadResult; large: LoadResult }
export type DatabaseReport = {
  database: string
  rows: Row[]
  writerImpacts: WriterImpact[]
  growth: Growth[]
  start: string[][]
}

export function writeReport(reports: DatabaseReport[]): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`
  return [
    '# Benchmarks',
    `Written by \`npm run bench\`: ${machine}. The load comes from the same machine: read figures as ratios.`,
    `First table: requests a second of one process, ${count(scale.posts)} posts of 5 kB (headings, lists, links, quotations and code, each of other words), 32 connections, many addresses, 8 members; reads in turns with a bare \`node:http\` server that sends the same bytes. Second: guests who read 200 posts and the feed beside a member who writes as fast as one person may; the aim is half. Third: mean and p99 of an uncached call in ms, four at once; the aim is a mean of at most 1.3 times.`,
    ...reports.flatMap(({ database, rows, writerImpacts, growth, start }) => [
      `## ${database}`,
      table(['', 'a second', 'p99 ms', 'of bare', 'aim'], rows.map(reportRow)),
      table(
        ['beside', 'guests alone', 'with the writer', 'ratio'],
        writerImpacts.map(writerImpactRow),
      ),
      table(['', count(scale.posts), count(scale.many), 'ratio of means'], growth.map(growthRow)),
      table(['posts', 'start, ms (1,500)', 'idle memory, MB (130)'], start),
    ]),
    '',
  ].join('\n\n')
}

export function reportRow({ name, load, aim, ofBare }: Row): string[] {
  return [name, perSecond(load), load.p99Ms.toFixed(0), ofBare?.toFixed(2) ?? '', aim]
}

export function writerImpactRow({ name, alone, beside }: WriterImpact): string[] {
  const ratio = beside.perSecond / alone.perSecond
  return [name, perSecond(alone), perSecond(beside), ratio.toFixed(2)]
}

function perSecond({ perSecond: number, failed }: LoadResult): string {
  return count(number) + (failed ? `, ${failed} failed` : '')
}

export function growthRow({ name, small, large }: Growth): string[] {
  const cell = ({ meanMs, p99Ms, failed }: LoadResult) =>
    `${meanMs.toFixed(2)} / ${p99Ms.toFixed(1)}${failed ? `, ${failed} failed` : ''}`
  return [name, cell(small), cell(large), (large.meanMs / small.meanMs).toFixed(2)]
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function count(number: number): string {
  return Math.round(number).toLocaleString('en')
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
