// What the bench has measured, as the page docs/benchmarks.md and a drawing of how each cost grows.

import type { Growth, GrowthRow } from './growth.ts'
import type { ImageFigures } from './images.ts'
import type { LikedRow } from './liked.ts'
import type { Load } from './load.ts'
import type { LongPostFigures } from './long-post.ts'
import type { PageFigures } from './page.ts'
import type { ThroughputRow } from './throughput.ts'

export type Measured = {
  /** Machine, versions, date: a line each. */
  about: string[]
  rendering: Load
  throughput: ThroughputRow[]
  liked: LikedRow[]
  longPost: LongPostFigures
  images: ImageFigures
  phone: { post: PageFigures; file: PageFigures } | undefined
  growth: { database: string; sizes: Growth[] }[]
}

export function writeReport(measured: Measured): string {
  const { about, longPost, images, growth } = measured
  return [
    '# Benchmarks',
    `Written by \`npm run bench\`. Figures of one machine in one run: read them as ratios. ${about.join(' · ')}`,
    ...throughputPart(measured),
    ...likedPart(measured.liked),
    '## A post of 950 kB',
    table(
      ['Processor time', 'the first view', 'each later one'],
      longPost.map(({ name, first, each }) => [name, ms(first), ms(each)]),
    ),
    ...phonePart(measured.phone),
    '## Pictures',
    table(
      ['', ''],
      [
        ['previews a second, none kept yet', images.coldPerSecond.toFixed(1)],
        ['memory with 50 uploads and 200 previews at once', mb(images.peakMb)],
        ['  of which were asked to come again later', String(images.busy)],
        ['pictures lost of 12 new cards and 6 visitors', `${images.lost} of 72`],
      ],
    ),
    '## How costs grow with the number of posts',
    'Median / p99 in milliseconds of a call, four at once. The last column is the p99 of the largest blog as a multiple of that of the smallest.',
    '![How the median of each call grows](benchmarks.svg)',
    ...growth.flatMap(({ database, sizes }) => [`### ${database}`, growthTable(sizes)]),
    '',
  ].join('\n\n')
}

function throughputPart({ rendering, throughput }: Measured): string[] {
  const rows = throughput.map(({ name, one, bare, ofBare }) => [
    name,
    one.perSecond.toFixed(0),
    ms(one.p99Ms),
    micros(one.cpuMs),
    bare?.perSecond.toFixed(0) ?? '',
    ofBare?.toFixed(2) ?? '',
  ])
  const anew = [
    'post page, rendered anew',
    rendering.perSecond.toFixed(0),
    ms(rendering.p99Ms),
    micros(rendering.cpuMs),
    '',
    '',
  ]
  return [
    '## One server, SQLite, 1,000 posts, 32 connections',
    'Beside each: a bare `node:http` server that sends the same bytes, and two processes, all in turns of a second. Medians, and medians of the ratios of single turns. The load comes from the same machine.',
    table(
      ['', 'a second', 'p99 ms', 'processor µs', 'bare node:http', 'ratio'],
      [...rows.slice(0, 2), anew, ...rows.slice(2)],
    ),
    '## Two processes beside one',
    table(
      ['', 'one', 'two', 'ratio'],
      throughput.map(({ name, one, two, ofOne }) => [
        name,
        one.perSecond.toFixed(0),
        two.perSecond.toFixed(0),
        ofOne.toFixed(2),
      ]),
    ),
  ]
}

function likedPart(liked: LikedRow[]): string[] {
  return [
    '## A post with 100,000 likes',
    table(
      ['Processor ms', 'without', 'with', 'ratio'],
      liked.map((row) => [row.name, ms(row.without), ms(row.with), row.ratio.toFixed(2)]),
    ),
  ]
}

function phonePart(phone: Measured['phone']): string[] {
  if (!phone) return []
  const row = (name: string, { fcpMs, lcpMs, shift, bytes }: PageFigures) => [
    name,
    (fcpMs / 1000).toFixed(2),
    (lcpMs / 1000).toFixed(2),
    shift.toFixed(4),
    (bytes / 1000).toFixed(0),
  ]
  return [
    "## A post page on a phone (Lighthouse's slow 4G, processor slowed 4 times)",
    table(
      ['', 'first paint s', 'largest paint s', 'shift', 'kB'],
      [row('post page', phone.post), row('one file with its picture', phone.file)],
    ),
  ]
}

function growthTable(sizes: Growth[]): string {
  const [first] = sizes
  const last = sizes.at(-1)
  const rows = (first?.rows ?? []).map(({ name }) => {
    const of = sizes.map(({ rows }) => rows.find((row) => row.name === name))
    const ratio = (of.at(-1)?.p99Ms ?? Number.NaN) / (of[0]?.p99Ms ?? Number.NaN)
    return [name, ...of.map(growthCell), ratio.toFixed(2)]
  })
  const ratioOf = (of: (one: Growth) => number | undefined) =>
    ((last && of(last)) ?? Number.NaN) / ((first && of(first)) ?? Number.NaN)
  return table(
    ['', ...sizes.map(({ posts }) => `${posts.toLocaleString('en')} posts`), 'p99 ratio'],
    [
      ...rows,
      [
        'start, ms',
        ...sizes.map(({ startMs }) => startMs.toFixed(0)),
        ratioOf(({ startMs }) => startMs).toFixed(2),
      ],
      [
        'idle memory',
        ...sizes.map(({ idleMb }) => mb(idleMb)),
        ratioOf(({ idleMb }) => idleMb).toFixed(2),
      ],
    ],
  )
}

function growthCell(row: GrowthRow | undefined): string {
  const refused = row?.failed ? `, ${row.failed} refused` : ''
  return `${ms(row?.p50Ms)} / ${ms(row?.p99Ms)}${refused}`
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function ms(value = Number.NaN): string {
  return value.toFixed(value < 10 ? 2 : 0)
}

function micros(value = Number.NaN): string {
  return (value * 1000).toFixed(0)
}

function mb(value: number | undefined): string {
  return value === undefined ? 'not known here' : `${value.toFixed(0)} MB`
}

const [WIDTH, HEIGHT, LEFT, TOP, LEGEND] = [760, 420, 56, 24, 200]
const COLORS = [
  '#0b7285',
  '#c92a2a',
  '#5f3dc4',
  '#2b8a3e',
  '#e67700',
  '#1864ab',
  '#a61e4d',
  '#495057',
]

/** The median of each kind of call over the number of posts, both logarithmic. */
export function drawGrowth(sizes: Growth[]): string {
  const names = sizes[0]?.rows.map(({ name }) => name) ?? []
  const all = sizes.flatMap(({ rows }) => rows.map(({ p50Ms }) => p50Ms))
  const [least, most] = [Math.log10(Math.min(...all)), Math.log10(Math.max(...all))]
  const [from, to] = [sizes[0]?.posts ?? 1, sizes.at(-1)?.posts ?? 1].map(Math.log10) as [
    number,
    number,
  ]
  const x = (posts: number) =>
    LEFT + ((Math.log10(posts) - from) / (to - from || 1)) * (WIDTH - LEFT - LEGEND)
  const y = (value: number) =>
    TOP + ((most - Math.log10(value)) / (most - least || 1)) * (HEIGHT - 2 * TOP - 16)
  const text = (at: [number, number], words: string, more = '') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${words}</text>`
  const lines = names.flatMap((name, index) => {
    const color = COLORS[index % COLORS.length]
    const dash = index < COLORS.length ? '' : ' stroke-dasharray="5 3"'
    const points = sizes.map(({ posts, rows }) => {
      const row = rows.find((one) => one.name === name)
      return `${x(posts).toFixed(1)},${y(row?.p50Ms ?? 1).toFixed(1)}`
    })
    const at = TOP + 12 + index * 20
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"${dash}/>`,
      `<line x1="${WIDTH - LEGEND + 16}" x2="${WIDTH - LEGEND + 40}" y1="${at - 4}" y2="${at - 4}" stroke="${color}" stroke-width="2"${dash}/>`,
      text([WIDTH - LEGEND + 46, at], name),
    ]
  })
  const ticks = [0.1, 0.3, 1, 3, 10, 30, 100, 300].filter(
    (value) => Math.log10(value) >= least && Math.log10(value) <= most,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...ticks.flatMap((value) => [
      `<line x1="${LEFT}" x2="${WIDTH - LEGEND}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#ddd"/>`,
      text([LEFT - 6, y(value) + 4], `${value} ms`, 'text-anchor="end"'),
    ]),
    ...sizes.map(({ posts }) =>
      text([x(posts), HEIGHT - 8], posts.toLocaleString('en'), 'text-anchor="middle"'),
    ),
    ...lines,
    '</svg>',
    '',
  ].join('\n')
}
