// Bodies that are plain text, Markdown or JSON (`BLOG_CONTENT=text`) as HTML that shows them letter
// for letter.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Blank lines end paragraphs, other lines break; spaces at the beginning of a line stay. */
export function textToHtml(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
  return escaped
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((block) => block.split(/\r?\n/).map(withIndent).join('<br>'))
    .filter((block) => block !== '')
    .map((block) => `<p>${block}</p>`)
    .join('')
}

function withIndent(line: string): string {
  return line.replace(/^[ \t]+/, (space) => '\u00a0'.repeat(space.length))
}
