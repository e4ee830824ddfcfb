export class BoardAccess {}
