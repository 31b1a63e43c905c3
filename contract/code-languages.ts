// The languages of code samples, which the editor offers, pasted text may name, and the server
// highlights.

export type CodeLanguage = {
  /** In the class of a sample: `<pre class="language-javascript">`. */
  id: string
  /** A proper name, the same in every language of the screens. */
  label: string
  /** Other names for it in the first line of a Markdown fence, in lower case. */
  aliases: readonly string[]
}

/** The default language of a sample: it is not highlighted. */
export const PLAIN_CODE = 'plaintext'

/** In the order in which the editor lists them. */
export const CODE_LANGUAGES: readonly CodeLanguage[] = [
  { id: PLAIN_CODE, label: 'Plain text', aliases: ['text', 'txt', 'plain', 'none'] },
  { id: 'bash', label: 'Bash', aliases: ['sh', 'shell', 'zsh', 'console'] },
  { id: 'c', label: 'C', aliases: ['h'] },
  { id: 'cpp', label: 'C++', aliases: ['c++', 'cc', 'hpp'] },
  { id: 'csharp', label: 'C#', aliases: ['c#', 'cs'] },
  { id: 'css', label: 'CSS', aliases: [] },
  { id: 'go', label: 'Go', aliases: ['golang'] },
  // Samples older than this list use this id.
  { id: 'markup', label: 'HTML', aliases: ['html', 'xml', 'svg', 'xhtml'] },
  { id: 'java', label: 'Java', aliases: [] },
  { id: 'javascript', label: 'JavaScript', aliases: ['js', 'jsx', 'mjs', 'cjs'] },
  { id: 'json', label: 'JSON', aliases: ['jsonc', 'json5'] },
  { id: 'php', label: 'PHP', aliases: [] },
  { id: 'python', label: 'Python', aliases: ['py'] },
  { id: 'ruby', label: 'Ruby', aliases: ['rb'] },
  { id: 'rust', label: 'Rust', aliases: ['rs'] },
  { id: 'sql', label: 'SQL', aliases: [] },
  { id: 'typescript', label: 'TypeScript', aliases: ['ts', 'tsx', 'mts', 'cts'] },
  { id: 'yaml', label: 'YAML', aliases: ['yml'] },
]

/** @param name an id or another name of the language, in any case */
export function findCodeLanguage(name: string): CodeLanguage | undefined {
  const wanted = name.trim().toLowerCase()
  return CODE_LANGUAGES.find(({ id, aliases }) => id === wanted || aliases.includes(wanted))
}
