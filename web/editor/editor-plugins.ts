// HugeRTE and those of its plugins that the editor uses, all from the package, nothing from a CDN.
// The order matters: the core comes first. Their sources, not their small versions: the build makes
// smaller ones of them. The rare ones are loaded later (late-tools.ts, late-tables.ts).

import 'hugerte'
import 'hugerte/themes/silver/theme.js'
import 'hugerte/icons/default/icons.js'
import 'hugerte/plugins/advlist/plugin.js'
import 'hugerte/plugins/autolink/plugin.js'
import 'hugerte/plugins/code/plugin.js'
import 'hugerte/plugins/insertdatetime/plugin.js'
import 'hugerte/plugins/lists/plugin.js'
import 'hugerte/plugins/media/plugin.js'
import 'hugerte/plugins/preview/plugin.js'
import 'hugerte/plugins/visualblocks/plugin.js'
import { TABLES } from './late-tables.ts'
import { LATE_TOOLS } from './late-tools.ts'

/**
 * Images, links and code samples have tools of our own (object-tools.ts). Without `anchor`: the
 * server keeps no ids (threat-model.md §8), so anchors would be lost on saving.
 */
export const EDITOR_PLUGINS = [
  ...['advlist', 'autolink', 'code', 'insertdatetime', 'lists', 'media', 'preview', 'visualblocks'],
  ...LATE_TOOLS,
  TABLES,
]

/** @source product.md §9, product.md §O32 */
export const EDITOR_TOOLBAR =
  'undo redo | blocks | image bold italic forecolor | alignleft aligncenter alignright alignjustify | bullist numlist outdent indent | removeformat help | link quote codesample'
