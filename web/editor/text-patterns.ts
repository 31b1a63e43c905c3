// What is typed as Markdown and becomes formatted text at once.

type Pattern = { start: string; trigger?: 'space' | 'enter' } & (
  | { format: string; end?: string }
  | { cmd: string }
)

/** `# ` makes the largest heading there is: the page's title is its only `h1`. */
const HEADINGS: Pattern[] = [
  { start: '#', format: 'h2', trigger: 'space' },
  { start: '##', format: 'h2', trigger: 'space' },
  { start: '###', format: 'h3', trigger: 'space' },
  { start: '####', format: 'h4', trigger: 'space' },
  { start: '#####', format: 'h4', trigger: 'space' },
  { start: '######', format: 'h4', trigger: 'space' },
]

export const TEXT_PATTERNS: Pattern[] = [
  { start: '*', end: '*', format: 'italic' },
  { start: '**', end: '**', format: 'bold' },
  ...HEADINGS,
  { start: '1.', cmd: 'InsertOrderedList', trigger: 'space' },
  { start: '*', cmd: 'InsertUnorderedList', trigger: 'space' },
  { start: '-', cmd: 'InsertUnorderedList', trigger: 'space' },
]
