// HugeRTE and those of its plugins that the editor uses, all from the package, nothing from a CDN.
// The order matters: the core comes first.

import 'hugerte/hugerte.min.js'
import 'hugerte/models/dom/model.min.js'
import 'hugerte/themes/silver/theme.min.js'
import 'hugerte/icons/default/icons.min.js'
import 'hugerte/plugins/advlist/plugin.min.js'
import 'hugerte/plugins/autolink/plugin.min.js'
import 'hugerte/plugins/charmap/plugin.min.js'
import 'hugerte/plugins/code/plugin.min.js'
import 'hugerte/plugins/codesample/plugin.min.js'
import 'hugerte/plugins/fullscreen/plugin.min.js'
import 'hugerte/plugins/help/plugin.min.js'
import 'hugerte/plugins/help/js/i18n/keynav/en.js'
import 'hugerte/plugins/image/plugin.min.js'
import 'hugerte/plugins/insertdatetime/plugin.min.js'
import 'hugerte/plugins/link/plugin.min.js'
import 'hugerte/plugins/lists/plugin.min.js'
import 'hugerte/plugins/media/plugin.min.js'
import 'hugerte/plugins/preview/plugin.min.js'
import 'hugerte/plugins/searchreplace/plugin.min.js'
import 'hugerte/plugins/table/plugin.min.js'
import 'hugerte/plugins/visualblocks/plugin.min.js'
import 'hugerte/plugins/wordcount/plugin.min.js'

/**
 * Without `anchor`: the server keeps no ids (threat-model.md §8), so anchors would be lost on
 * saving.
 */
export const EDITOR_PLUGINS =
  'advlist autolink lists link image charmap preview searchreplace visualblocks code codesample fullscreen insertdatetime media table help wordcount'

/** @source product.md §9, product.md §O32 */
export const EDITOR_TOOLBAR =
  'undo redo | blocks | image | bold italic forecolor | alignleft aligncenter alignright alignjustify | bullist numlist outdent indent | removeformat | help'
