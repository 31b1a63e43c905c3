// The HTML page around the app; rendered by the server only, never hydrated.
import type { ReactNode } from 'react'
import { accentTokens } from '#contract/accent.ts'
import { PAGE_BACKGROUND } from '#contract/colors.ts'
import { jsonInPage, type PageAssets, VIEWER_DATA_ELEMENT_ID } from '#contract/pages.ts'
import { logoPath } from '#contract/site-settings.ts'
import {
  PAGE_DATA_ELEMENT_ID,
  type PageData,
  SETTINGS_ELEMENT_ID,
  type SiteSettings,
} from './api/page-data.ts'
import { HEAD_SCRIPT, HEAD_SCRIPT_WITHOUT_FONTS } from './head/head-script.ts'
import { DEFERRED_FONTS_ID, type DeferredFont } from './head/load-fonts.ts'
import type { Theme } from './head/stored-preferences.ts'
import { texts } from './locales/texts.ts'
import { FeedLinks } from './posts/public-head.tsx'
import { POST_TOP_END_ID } from './reading/post-article.tsx'

/** The preferences of a signed-in user, as far as the server knows them. */
export type DocumentPreferences = {
  theme: Theme | undefined
  /** The theme is the account's: it takes precedence over the one stored on the device. */
  isThemeOfAccount: boolean
  isBarHidden: boolean
}

export type DocumentProps = {
  settings: SiteSettings
  assets: PageAssets
  /** Addresses of the font files that this page needs. */
  fonts: string[]
  nonce: string | undefined
  /** The page shows a post that exists. */
  hasPost: boolean
  /** The page shows a post that needs the aids for reading. */
  isLongPost: boolean
  /** The page shows a post whose text has more than words. */
  hasObjects: boolean
  /** Not for search engines: a missing post, an error. */
  isHidden: boolean
  /**
   * The app is loaded only at the first interaction (head/load-app-on-interaction.ts).
   */
  isAppDeferred: boolean
  pageData: PageData
  /** Those of a signed-in user; a visitor's are stored only on the device. */
  preferences: DocumentPreferences | undefined
  children: ReactNode
}

type StyleLinksProps = { css: string[]; fonts: string[] }

export function Document({
  settings,
  assets,
  fonts,
  nonce,
  hasPost,
  isLongPost,
  hasObjects,
  isHidden,
  isAppDeferred,
  pageData,
  preferences,
  children,
}: DocumentProps) {
  const theme = preferences?.theme ?? 'dark'
  const criticalCss = isAppDeferred && hasPost ? assets.criticalCss : undefined
  const blockingId = isAppDeferred ? criticalCss && POST_TOP_END_ID : SETTINGS_ELEMENT_ID
  const headScript = nonce && !criticalCss ? HEAD_SCRIPT_WITHOUT_FONTS : HEAD_SCRIPT
  const appFiles = [assets.entry, ...assets.preload, ...(criticalCss ? assets.css : [])]
  return (
    <html
      lang={texts.language}
      dir={texts.direction}
      data-theme={theme}
      style={settings.accent ? accentTokens(settings.accent) : undefined}
      data-bar={preferences?.isBarHidden ? 'hidden' : undefined}
      data-account-theme={preferences?.isThemeOfAccount ? '' : undefined}
      data-app={appFiles.join(' ')}
      data-app-deferred={isAppDeferred ? '' : undefined}
      data-app-missing={texts.failures.appMissing}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={PAGE_BACKGROUND[theme === 'light' ? 'light' : 'dark']} />
        <meta name="color-scheme" content={theme === 'system' ? 'dark light' : theme} />
        {isHidden && <meta name="robots" content="noindex" />}
        {pageData.isShared && <script id={VIEWER_DATA_ELEMENT_ID} type="application/json" />}
        {criticalCss && (
          <>
            {/* The style sheet that is loaded with the app has the same rules and more. */}
            <style dangerouslySetInnerHTML={{ __html: criticalCss.text }} />
            {hasObjects && assets.objectCss && (
              <style dangerouslySetInnerHTML={{ __html: assets.objectCss.text }} />
            )}
            <noscript>
              <StyleLinks css={assets.css} fonts={[]} />
            </noscript>
            <JsonBlock id={DEFERRED_FONTS_ID} value={deferredFonts(assets, fonts)} />
          </>
        )}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: headScript }} />
        <Icons logo={settings.logo} />
        <link rel="manifest" href="/manifest.webmanifest" />
        {settings.reading === 'everyone' && <FeedLinks pagePath="" title={settings.siteName} />}
        {!criticalCss && <StyleLinks css={assets.css} fonts={fonts} />}
        {/* Painted half parsed, centred and end-aligned content would move. */}
        {blockingId && <link rel="expect" href={`#${blockingId}`} blocking="render" />}
        {!isAppDeferred &&
          assets.preload.map((href) => <link key={href} rel="modulepreload" href={href} />)}
      </head>
      <body>
        <div id="root">{children}</div>
        <JsonBlock id={SETTINGS_ELEMENT_ID} value={settings} />
        <JsonBlock id={PAGE_DATA_ELEMENT_ID} value={pageData} />
        {!isAppDeferred && <script type="module" src={assets.entry} nonce={nonce} />}
        {isLongPost && <script type="module" src={assets.readingAids} nonce={nonce} />}
      </body>
    </html>
  )
}

function deferredFonts({ fonts }: PageAssets, hrefs: string[]): DeferredFont[] {
  return fonts
    .filter(({ href }) => hrefs.includes(href))
    .map(({ href, isItalic, weights, ranges }) => [
      href,
      isItalic ? 'italic' : 'normal',
      weights.join(' '),
      ranges.map((range) => `U+${range.map((point) => point.toString(16)).join('-')}`).join(),
    ])
}

function Icons({ logo }: Pick<SiteSettings, 'logo'>) {
  return logo ? (
    <>
      <link rel="icon" href={logoPath(logo, 192)} type="image/png" />
      <link rel="apple-touch-icon" href={logoPath(logo, 180)} />
    </>
  ) : (
    <>
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </>
  )
}

function StyleLinks({ css, fonts }: StyleLinksProps) {
  return (
    <>
      {css.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {fonts.map((href) => (
        <link
          key={href}
          rel="preload"
          as="font"
          type="font/woff2"
          href={href}
          crossOrigin="anonymous"
          fetchPriority="low"
        />
      ))}
    </>
  )
}

/** Data for scripts, which the browser does not run. */
function JsonBlock({ id, value }: { id: string; value: unknown }) {
  return (
    <script
      id={id}
      type="application/json"
      dangerouslySetInnerHTML={{ __html: jsonInPage(value) }}
    />
  )
}
