// The site of a staged export, and the name under which this blog remembers it.
import type { SourceKind } from '#contract/archive.ts'
import type { SourceSite } from '../sources/source.ts'
import type { Staging } from './staging-store.ts'

type StagedSite = { kind: SourceKind; site: SourceSite; source: string }

const NO_SITE: SourceSite = { program: '', name: '', description: '', url: '' }

export function readStagedSite(staging: Staging): StagedSite {
  return {
    kind: staging.getMeta('kind') ?? 'markdown',
    site: staging.getMeta('site') ?? NO_SITE,
    source: staging.getMeta('source') ?? '',
  }
}
