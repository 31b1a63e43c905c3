// Builds the web part: the browser's files with a manifest, and (with --ssr) the renderer that
// backend/pages loads.
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { editorSkin } from './scripts/editor-skin.ts'
import { fontFaces } from './scripts/font-faces.ts'
import { textsByUse } from './scripts/texts-by-use.ts'

/** Modules of every screen, and small ones that many screens share. */
const EVERY_SCREEN = new RegExp(
  [
    '^/node_modules/(?!@?hugerte|diff/|marked/|lucide-react/dist/esm/icons/)',
    '^/shims/',
    '^/web/(api/(?!live\\.)|ui/(?!copy-field|drawer|large-size|switch|lazy-part|side-links))',
    '^/web/shell/(?!home-page)',
    '^/web/dates/',
    '^/web/accounts/(viewer|accounts-api|return-path|avatar-url)',
    '^/web/posts/(tag-list|post-paths|author-avatar|failure-cause|plain-text|like-stat|shown-post|featured-image)',
    '^/web/editor/(editor-preferences|use-theme)',
    '^/web/lists/(post-lists|use-loaded)',
    '^/contract/(?!accent|archive|formulas|image-emoji|videos|embeds|comment-text)',
    'reading\\.tsx\\?group=(?:date|player|post)$',
  ].join('|'),
)
/** Icons that only some screens show. */
const ICONS = /^\/node_modules\/lucide-react\/dist\/esm\/icons\//
/** Modules that lists, authors, tags and search share. */
const LISTS = /^\/web\/(lists\/(page-links|list-state)|posts\/(public-head|post-card))/
/** What the form of a post and the settings share: choosing and sending images, leaving. */
const UPLOADS =
  /^\/web\/(forms\/leave-guard|files\/(image-field|upload|prepare|convert|sniff|local-image-store)|locales\/en\/files\.tsx\?group=image)/
/** The form of a post. */
const WRITING =
  /^\/web\/(writing\/(?!edit-post|conflict-dialog|writing-view|form-publish-drawer|schedule-line|merge-)|publishing\/detail-problems|drafts\/open-draft|editor\/store-image|locales\/en\/writing\.tsx\?group=(?!editPost|statuses|merge$|leaving$))/

/** Whether the path below this folder matches, whatever the folder itself is called. */
function inside(pattern: RegExp): (path: string) => boolean {
  return (path) => pattern.test(`/${relative(import.meta.dirname, path)}`)
}

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  appType: 'custom',
  plugins: [editorSkin(), textsByUse(), react({ jsxImportSource: '#jsx' })],
  css: { postcss: { plugins: [fontFaces()] } },
  publicDir: isSsrBuild ? false : 'public',
  build: isSsrBuild
    ? {
        outDir: '../build/server',
        emptyOutDir: true,
        target: 'node22',
        rolldownOptions: {
          input: 'web/server.tsx',
          // Minified, because pages contain functions of this file as text, the scripts of their
          // heads. Names of functions stay for stack traces in the server's log.
          output: {
            minify: {
              compress: true,
              mangle: { keepNames: true },
              codegen: { removeWhitespace: true },
            },
          },
        },
      }
    : {
        outDir: '../build/client',
        emptyOutDir: true,
        manifest: true,
        assetsInlineLimit: 0,
        target: 'baseline-widely-available',
        rolldownOptions: {
          checks: { pluginTimings: false },
          input: [
            'web/main.tsx',
            'web/styles/post.css',
            'web/styles/post-objects.css',
            'web/styles/static-site.css',
            'web/reading/reading-aids.ts',
          ],
          // One file for the modules of every screen, instead of thirty small ones.
          output: {
            codeSplitting: {
              groups: [
                { name: 'app', test: inside(EVERY_SCREEN), priority: 1 },
                { name: 'icons', test: inside(ICONS), minShareCount: 2 },
                { name: 'lists', test: inside(LISTS), includeDependenciesRecursively: false },
                { name: 'uploads', test: inside(UPLOADS), includeDependenciesRecursively: false },
                { name: 'writing', test: inside(WRITING), includeDependenciesRecursively: false },
              ],
            },
          },
        },
        // Keeps light-dark(), which all browsers of the script target support.
        cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
        chunkSizeWarningLimit: 1500,
      },
  // The renderer includes React, which would otherwise be its slow development version unless the
  // operator sets NODE_ENV.
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': JSON.stringify('production') } }),
  ...(isSsrBuild && { ssr: { noExternal: true as const } }),
  optimizeDeps: { entries: 'main.tsx' },
}))
