import type { FastifyInstance } from 'fastify'
import type { DescribeBody, PageAssets, Render, ServerTexts } from '#contract/pages.ts'
import type { GoogleContext } from '../google/context.ts'
import type { FindViewer, Viewer } from '../http/viewer.ts'
import type { OwnDataContext } from '../own-data/context.ts'

/** The web part: built files, or the development server. */
export type Pages = {
  render: Render
  words: ServerTexts
  describeBody: DescribeBody
  assetsFor(path: string): PageAssets
  /** Registers the browser's files. */
  addFiles(app: FastifyInstance): Promise<void>
  /**
   * The one inline script of every page; undefined in development, where no content security policy
   * is sent, because it would block Vite's scripts.
   */
  headScript: string | undefined
  /** Version of the texts derived from bodies; undefined in development, where code changes. */
  textsVersion: string | undefined
}

export type PagesContext = OwnDataContext &
  Pick<GoogleContext, 'googleProvider'> & {
    pages: Pages
    resolveViewer: FindViewer
    /** Where an address leads that has no page, because it was that of an imported post. */
    findMovedTo: (viewer: Viewer, url: string) => Promise<string | undefined>
  }
