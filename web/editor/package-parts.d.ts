// Parts of the package. Each registers itself when imported.
declare module 'hugerte/plugins/*'
declare module 'hugerte/models/*'
