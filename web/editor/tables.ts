// What tables in the text need: selecting cells, rows and columns, changing their size, their
// properties. It makes itself known to the package.

import 'hugerte/models/dom/model.js'
import 'hugerte/plugins/table/plugin.js'

export { TABLE_ICONS } from 'virtual:editor-table-icons'
