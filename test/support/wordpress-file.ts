// A small export of WordPress, for tests that bring it in the browser.

const cdata = (name: string, value: string) => `<${name}><![CDATA[${value}]]></${name}>`

function item(values: Record<string, string>, more = ''): string {
  const elements = Object.entries(values).map(([name, value]) => cdata(name, value))
  return `<item>${elements.join('')}${more}</item>`
}

const COMMENT = [
  cdata('wp:comment_id', '7'),
  cdata('wp:comment_author', 'Cleo Carr'),
  cdata('wp:comment_date_gmt', '2019-05-04 09:00:00'),
  cdata('wp:comment_content', 'I was on that ferry.'),
  cdata('wp:comment_approved', '1'),
].join('')

const POST = {
  title: 'The ferry at five',
  link: 'https://ferries.example/2019/05/the-ferry-at-five/',
  'dc:creator': 'ann',
  'content:encoded': '<p>It waits for nobody.</p>[slider id="3"]',
  'wp:post_id': '12',
  'wp:post_date_gmt': '2019-05-03 08:00:00',
  'wp:post_name': 'the-ferry-at-five',
  'wp:status': 'publish',
  'wp:post_type': 'post',
}

/** A published post with a comment, a draft and a page, by one author. */
export const FERRIES = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Ferries</title><link>https://ferries.example</link><generator>https://wordpress.org/?v=6.8.1</generator>
<wp:author><wp:author_login>ann</wp:author_login><wp:author_email>ann@ferries.example</wp:author_email>${cdata('wp:author_display_name', 'Ann Ahl')}</wp:author>
${item(POST, `<wp:comment>${COMMENT}</wp:comment>`)}
${item({ ...POST, link: 'https://ferries.example/?p=13', title: 'Not yet', 'wp:post_id': '13', 'wp:post_name': 'not-yet', 'wp:status': 'draft' })}
${item({ ...POST, link: 'https://ferries.example/about/', title: 'About', 'wp:post_id': '14', 'wp:post_name': 'about', 'wp:post_type': 'page' })}
</channel></rss>`
