// What search engines are asked to leave alone, and where they find what is public.

const PRIVATE_PAGES = [
  '/add-post',
  '/edit-post',
  '/dashboard',
  '/settings',
  '/dispatch',
  '/verification',
  '/verifyOAuth',
  '/verifyUserEmailLink',
]

/** @param sitemap its whole address; undefined where nothing is listed */
export function robotsText(sitemap: string | undefined): string {
  const who = sitemap
    ? '# Everybody may read this blog.'
    : '# Posts are open to everyone; the rest of the site is for people who signed in.'
  return [
    who,
    'User-agent: *',
    'Allow: /v1/storage/',
    'Allow: /v1/avatars/',
    'Disallow: /v1/',
    ...PRIVATE_PAGES.map((path) => `Disallow: ${path}`),
    ...(sitemap ? ['', `Sitemap: ${sitemap}`] : []),
    '',
  ].join('\n')
}
