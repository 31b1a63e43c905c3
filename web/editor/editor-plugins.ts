// HugeRTE and the plugins that the editor uses, all from the package, nothing from a CDN. The order
// matters: the core comes first. Imports the sources, not the minified files, because the build
// minifies them better.

import 'hugerte'
import 'hugerte/themes/silver/theme.js'
import 'hugerte/icons/default/icons.js'
import 'hugerte/models/dom/model.js'
import 'hugerte/plugins/advlist/plugin.js'
import 'hugerte/plugins/autolink/plugin.js'
import 'hugerte/plugins/fullscreen/plugin.js'
import 'hugerte/plugins/insertdatetime/plugin.js'
import 'hugerte/plugins/lists/plugin.js'
import 'hugerte/plugins/media/plugin.js'
import 'hugerte/plugins/searchreplace/plugin.js'
import 'hugerte/plugins/table/plugin.js'
import 'hugerte/plugins/visualblocks/plugin.js'
import { WORD_COUNT } from './word-count.ts'

/**
 * Images, links, code samples, source code, special characters, help and the preview have tools of
 * our own (object-tools.ts). The plugin `anchor` is left out: the server keeps no ids
 * (threat-model.md §8), so anchors would be lost on saving.
 */
export const EDITOR_PLUGINS = `advlist autolink fullscreen insertdatetime lists media searchreplace table visualblocks ${WORD_COUNT}`

/** @source product.md §9, product.md §O32 */
export const EDITOR_TOOLBAR =
  'undo redo | blocks | image bold italic forecolor | alignleft aligncenter alignright alignjustify | bullist numlist outdent indent | removeformat help | link quote codesample'
