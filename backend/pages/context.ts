import type { FastifyInstance } from 'fastify'
import type { DescribeBody, PageAssets, Render, ServerTexts } from '#contract/pages.ts'
import type { GoogleContext } from '../google/context.ts'
import type { FindViewer } from '../http/viewer.ts'
import type { OwnDataContext } from '../own-data/context.ts'

/** The web part as the server sees it: built files, or the development server. */
export type Pages = {
  render: Render
  words: ServerTexts
  describeBody: DescribeBody
  assetsFor(path: string): PageAssets
  /** Registers the browser's files. */
  addFiles(app: FastifyInstance): Promise<void>
  /**
   * The one inline script of every page. Without it no content security policy is sent: the
   * development server's scripts would not pass.
   */
  headScript: string | undefined
  /** Names what the renderer makes of bodies; undefined in development: it changes any time. */
  textsVersion: string | undefined
}

export type PagesContext = OwnDataContext &
  Pick<GoogleContext, 'googleProvider'> & { pages: Pages; resolveViewer: FindViewer }
